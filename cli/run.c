// run.c -- judder run: motion in time, in words on the terminal and in full in files.
#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "result/run.h"
#include "result/wav.h"

static volatile sig_atomic_t interrupted; // the one thing a signal may touch

static void on_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

bool report_stop(void *user) {
    (void)user;
    return interrupted != 0;
}

// The first Ctrl-C ends the run and keeps what there is; the second ends the command.
void report_listen(void) {
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

static const json_t *at(const json_t *d, const char *a, const char *b) {
    const json_t *v = json_object_get(d, a);
    return b ? json_object_get(v, b) : v;
}

static double real_at(const json_t *d, const char *a, const char *b) {
    return json_number_value(at(d, a, b));
}

static long count_at(const json_t *d, const char *a, const char *b) {
    return (long)json_integer_value(at(d, a, b));
}

static void print_events(const json_t *d) {
    static const struct {
        const char *key, *one, *many;
    } kinds[] = {{"slip", "slip", "slips"},
                 {"stick", "stick", "sticks"},
                 {"reversal", "reversal", "reversals"},
                 {"impact", "impact", "impacts"},
                 {"close", "closing", "closings"},
                 {"open", "opening", "openings"}};
    long total = count_at(d, "events", "total");
    printf("events       %ld", total);
    bool first = true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        long n = count_at(d, "events", kinds[i].key);
        if (n == 0) continue;
        printf("%s%ld %s", first ? ": " : ", ", n, n == 1 ? kinds[i].one : kinds[i].many);
        first = false;
    }
    printf("\n");
}

static void print_phases(const json_t *d, double length) {
    size_t i;
    json_t *share;
    int shown = 0;
    if (json_array_size(at(d, "phases", NULL)) < 2 || length <= 0) return;
    printf("time spent   ");
    json_array_foreach(at(d, "phases", NULL), i, share) {
        if (shown == 6) printf(", ...");
        if (shown++ >= 6) break;
        printf("%s%s %.3g %%", i ? ", " : "", json_string_value(at(share, "phase", NULL)),
               100 * real_at(share, "time", NULL) / length);
    }
    printf("\n");
}

static void print_grid(const json_t *d, const char *unit) {
    const json_t *g = json_object_get(d, "grid"), *error = json_object_get(g, "error_estimate");
    if (!g) return;
    printf("grid         %ld nodes on the first body, %ld steps of %.4g%s\n",
           count_at(d, "grid", "nodes"), count_at(d, "grid", "steps"),
           real_at(d, "grid", "time_step"), unit);
    if (error)
        printf("error        about %.2g in the displacements, by comparison with %ld nodes\n",
               json_number_value(error), count_at(d, "grid", "coarse_nodes"));
    if (real_at(d, "grid", "energy_fed") > 0)
        printf("             friction fed in %.2g of energy\n", real_at(d, "grid", "energy_fed"));
}

static void print_interfaces(const json_t *d) {
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(d, "interfaces"), name, value) {
        if (count_at(value, "cells", NULL) < 2) continue;
        printf("%-12s %ld cells: %ld began to slide, %ld stuck, %ld turned round\n", name,
               count_at(value, "cells", NULL), count_at(value, "slip", NULL),
               count_at(value, "stick", NULL), count_at(value, "reversal", NULL));
    }
}

static void print_blows(const json_t *d, const char *unit) {
    const json_t *b = json_object_get(d, "blows");
    const char *name;
    json_t *value;
    size_t n = json_array_size(json_object_get(b, "t"));
    if (!b || n == 0) return;
    printf("blows        %zu by %s\n", n, json_string_value(json_object_get(b, "drive")));
    json_object_foreach((json_t *)b, name, value) {
        size_t length = strlen(name);
        if (length < 4 || strcmp(name + length - 4, ".set") != 0) continue;
        printf("  set at %-10.*s first %.4g%s, last %.4g%s\n", (int)length - 4, name,
               json_number_value(json_array_get(value, 0)), unit,
               json_number_value(json_array_get(value, n - 1)), unit);
    }
}

static const char *to_tolerance(const json_t *d, char text[32]) {
    double tolerance = real_at(d, "certificate", "tolerance");
    text[0] = 0;
    if (tolerance > 0) snprintf(text, 32, " to %.2g", tolerance);
    return text;
}

static void print_certificate(const json_t *d) {
    char text[32];
    if (json_object_get(d, "grid")) return; // a grid proves nothing
    long undecided = count_at(d, "certificate", "undecided");
    double chatter = real_at(d, "certificate", "chatter_error");
    double speed = real_at(d, "certificate", "chatter_speed");
    long split = count_at(d, "certificate", "split_not_unique");
    if (json_is_true(at(d, "certificate", "certified")))
        printf("certificate  every event was found: proved between all of them\n");
    else if (undecided == 0 && speed > 0)
        printf(
            "certificate  none: chatter was completed beside other contacts at rest, speeds up to "
            "%.1g are left out\n",
            speed);
    else if (undecided == 0 && at(d, "certificate", "error") && !at(d, "certificate", "tolerance"))
        printf("certificate  none: parts of the motion nearly cancel (weakly damped free bodies, "
               "drives at a resonance, poles that coincide), digits are lost\n");
    else if (undecided == 0)
        printf("certificate  none: nothing is proved about events here; method: %s%s\n",
               json_string_value(at(d, "certificate", "method")), to_tolerance(d, text));
    else
        printf("certificate  %ld grazing%s could not be decided in double precision\n", undecided,
               undecided == 1 ? "" : "s");
    if (json_is_false(at(d, "certificate", "certified")) && at(d, "certificate", "proved_until"))
        printf("             every event up to %.6g is proved\n",
               real_at(d, "certificate", "proved_until"));
    if (chatter > 0)
        printf("             chatter was completed, its end is right to %.1g\n", chatter);
    if (split > 0)
        printf("             contact forces were not unique in %ld phase%s\n", split,
               split == 1 ? "" : "s");
}

// Engines that estimate what they may be off by.
static void print_error(const json_t *d) {
    const json_t *error = at(d, "certificate", "error");
    if (!error) return;
    if (json_is_number(error))
        printf("error        at most %.1e of the largest values met (estimated, carried along)\n",
               json_number_value(error));
    else
        printf("error        grows to the size of the motion: --horizon tells how far the digits "
               "reach\n");
}

static void print_horizon(const json_t *d, const char *unit) {
    const json_t *h = json_object_get(d, "horizon"), *until = json_object_get(h, "digits_until");
    if (!h) return;
    double growth = real_at(d, "horizon", "log_growth");
    bool coarse = real_at(d, "certificate", "tolerance") > 1e-8; // no six digits to lose by growth
    if (json_is_number(until))
        printf("horizon      %s: fewer than six digits are right after t = %.4g%s\n",
               coarse ? "with this tolerance" : "errors grow", json_number_value(until), unit);
    if (!json_is_number(until) || coarse)
        printf("%s an error of the start %s by a factor of %.2g\n",
               json_is_number(until) ? "            " : "horizon     ",
               growth > 0 ? "has grown" : "has shrunk", exp(fabs(growth)));
}

static void energy_row(call *c, table *t, const char *what, const char *name, double value) {
    const char *label = name ? jd_arena_format(c->arena, "%s %s", what, name) : what;
    const char *number = jd_arena_format(c->arena, "%.6g", value);
    table_row(t, (const char *[]){label ? label : "", number ? number : ""});
}

static void energy_rows(call *c, table *t, const json_t *d, const char *key, const char *what) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)at(d, "energy", key), name, value) {
        if (json_number_value(value) != 0) energy_row(c, t, what, name, json_number_value(value));
    }
}

static void print_energy(call *c, const json_t *d, const char *unit) {
    if (!json_object_get(d, "energy")) return;
    const char *none = json_string_value(at(d, "energy", "why_none"));
    if (none) {
        printf("energy       %s\n", none);
        return;
    }
    table *t = table_create(c, "lr");
    bool all = json_is_number(at(d, "energy", "residual"));
    if (json_is_number(at(d, "energy", "start")))
        energy_row(c, t, "at the start", NULL, real_at(d, "energy", "start"));
    energy_rows(c, t, d, "drives", "work of drive");
    energy_rows(c, t, d, "belts", "work of the counterpart of");
    if (real_at(d, "energy", "damping") != 0)
        energy_row(c, t, "lost in damping", NULL, real_at(d, "energy", "damping"));
    energy_rows(c, t, d, "contacts", "lost in friction at");
    energy_rows(c, t, d, "impacts", "lost in impacts at");
    if (json_is_number(at(d, "energy", "kinetic"))) {
        energy_row(c, t, "kinetic, at the end", NULL, real_at(d, "energy", "kinetic"));
        energy_row(c, t, "strain, at the end", NULL, real_at(d, "energy", "strain"));
    }
    printf("energy%s\n", unit);
    table_print(t, "  ", stdout);
    if (all)
        printf("  adds up to %.1e of the work done\n", real_at(d, "energy", "residual"));
    else
        printf(
            "  with infinitely many modes it is not known what is stored and what damping took\n");
}

static void print_files(const call *c, const jd_recording *f) {
    if (c->output) printf("result       %s\n", c->output);
    if (c->csv) printf("samples      %s (%ld)\n", c->csv, f->n_sample);
    if (c->events) printf("events       %s\n", c->events);
    if (!c->output && !c->csv && !c->events && !c->plot && !c->wav)
        printf("nothing was kept: -o FILE.h5 keeps samples and events\n");
}

static void print_summary(call *c, const jd_recording *f, const json_t *d) {
    const char *title = json_string_value(at(d, "title", NULL));
    bool si = strcmp(json_string_value(at(d, "units", NULL)), "SI") == 0;
    double end = real_at(d, "t_end", NULL), start = real_at(d, "t_start", NULL);
    if (title[0]) printf("%s\n\n", title);
    printf("run          %s engine, t = %.6g to %.6g%s in %.2g s\n",
           json_string_value(at(d, "engine", NULL)), start, end, si ? " s" : "",
           real_at(d, "cpu_seconds", NULL));
    if (jd_run_is_numerical_stop(d))
        printf("stopped      %s: %s\n", json_string_value(at(d, "stop", "name")),
               json_string_value(at(d, "stop", "text")));
    const char *note = json_string_value(json_object_get(d, "note"));
    if (note) printf("             %s\n", note);
    print_grid(d, si ? " s" : "");
    if (!json_object_get(d, "interfaces")) {
        print_events(d);
        print_phases(d, end - start);
    }
    print_interfaces(d);
    print_blows(d, si ? " m" : "");
    print_certificate(d);
    const char *critical = json_string_value(json_object_get(d, "critical_manifold"));
    if (critical) printf("manifold     the critical manifold is a %s where it ended\n", critical);
    print_error(d);
    print_horizon(d, si ? " s" : "");
    print_energy(c, d, si ? " [J]" : "");
    print_files(c, f);
}

static jd_status finish(call *c, jd_recording *f, jd_run_files *files, jd_lists *lists,
                        double seconds) {
    json_t *document = NULL;
    JD_TRY(jd_document_run(f, &document));
    const jd_origin origin = {c->command, jd_model_text(f->problem)};
    jd_status s = jd_run_files_commit(files, document, &origin);
    report_progress_end(c);
    if (s == JD_OK) {
        json_object_set_new(document, "cpu_seconds", json_real(seconds));
        if (lists) jd_lists_add(lists, document);
        bool taken = c->csv && strcmp(c->csv, "-") == 0;
        if (c->json)
            jd_json_write(document, stdout);
        else if (!c->quiet && !taken)
            print_summary(c, f, document);
        c->stopped = jd_run_is_numerical_stop(document);
        if (c->stopped && (c->quiet || taken) && !c->json)
            report_warning(c, "stopped early: %s", json_string_value(at(document, "stop", "text")));
    }
    json_decref(document);
    return s;
}

static jd_status follow_files(call *c, jd_recording *f, jd_run_files **files) {
    bool out = c->csv && strcmp(c->csv, "-") == 0;
    const jd_run_targets to = {.hdf5 = c->output,
                               .csv = out ? NULL : c->csv,
                               .csv_stream = out ? stdout : NULL,
                               .events = c->events};
    if (c->csv && f->every == 0)
        report_warning(c, "the model asks for no samples: set output.every or output.per_period");
    return jd_run_files_open(f, &to, files);
}

static jd_status finish_sound(call *c, jd_wav *wav) {
    double seconds, peak;
    JD_TRY(jd_wav_commit(wav, &seconds, &peak));
    if (!c->json && !c->quiet)
        printf("sound        %s: %.3g s of %s, loudest %.4g\n", c->wav, seconds, jd_wav_signal(wav),
               peak);
    return JD_OK;
}

static jd_status follow(call *c, jd_recording *f, clock_t begin) {
    jd_run_files *files;
    jd_wav *wav = NULL;
    if (c->wav) JD_TRY(jd_wav_create(f, c->wav, c->rate ? c->rate : 44100, c->signal, &wav));
    JD_TRY(follow_files(c, f, &files));
    jd_lists *lists = c->json ? jd_lists_create(f) : NULL;
    jd_status s = c->json && !lists ? out_of_memory(c) : jd_recording_run(f);
    if (s == JD_OK) s = finish(c, f, files, lists, (double)(clock() - begin) / CLOCKS_PER_SEC);
    if (s == JD_OK && wav) s = finish_sound(c, wav);
    jd_wav_free(wav);
    jd_run_files_abandon(files);
    jd_lists_free(lists);
    return s;
}

static jd_status run_run(call *c) {
    jd_problem *problem;
    jd_recording *f = NULL;
    JD_TRY(plot_check(c, "a run",
                      PLOT_FORCES | PLOT_KIND(JD_PICTURE_FIELD) | PLOT_KIND(JD_PICTURE_SLIP) |
                          PLOT_KIND(JD_PICTURE_HORIZON)));
    JD_TRY(load_model(c, &problem));
    report_listen();
    clock_t begin = clock();
    jd_status s = jd_recording_create(c->context, problem, &f);
    if (s == JD_OK && c->given & OPTION_HORIZON) s = jd_run_horizon(f->run);
    if (s == JD_OK) s = follow(c, f, begin);
    if (s == JD_OK && c->plot && !interrupted) s = plot_run(c, problem);
    if (s == JD_OK && c->plot && interrupted)
        report_warning(c, "interrupted: no picture was drawn");
    jd_recording_free(f);
    jd_problem_free(problem);
    return s;
}

const verb verb_run = {
    .name = "run",
    .arguments = "MODEL.yaml",
    .doc = "motion in time, with every event",
    .help = "Computes the motion the section `simulate` asks for and says what happened:\n"
            "events by kind, whether every one of them is certain, and where the energy\n"
            "went. -o keeps samples, events and the state at the end, from which `start:\n"
            "{type: restart, file: ...}` goes on; --csv keeps the samples, --events the\n"
            "events, --wav makes one of them heard, --plot draws a picture. Ctrl-C ends it\n"
            "early and keeps what there is.\n"
            "\n"
            "Piecewise-smooth models -- nonlinear-string, friction-oscillator, two-fold and\n"
            "piecewise (by formulas) -- are computed by the engine closure. So is, with\n"
            "`simulate: {engine: closure, modes: N}`, any structure with one friction contact,\n"
            "by its N lowest modes and the waves that leave the contact; `judder list engines`\n"
            "and `judder list structures` say more.\n",
    .options = OPTION_RESULTS | OPTION_EVENTS | OPTION_HORIZON | OPTION_WAV | OPTION_RATE |
               OPTION_SIGNAL | OPTION_SET | OPTION_THREADS | OPTION_PLOT | OPTION_WINDOW |
               OPTION_PICTURE,
    .least = 1,
    .most = 1,
    .run = run_run,
};
