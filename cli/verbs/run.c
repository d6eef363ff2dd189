// run.c -- judder run: motion in time, in words on the terminal and in full in files.
#include <math.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "result/run/run.h"
#include "result/run/wav.h"

typedef struct run_asked {
    const char *events, *wav; // files; NULL: not asked for
    const char *signal;       // the sampled column that --wav holds; NULL: the first
    int rate;                 // of the sound [1/s]
    bool horizon;
    const char *sampled; // how samples were chosen that the model does not ask for; NULL: not
    const char *series;  // of -o FILE.pvd or FILE.vtu; NULL: none
} run_asked;

// JSON is one object in memory: longer runs belong into a file, and the object says what is
// missing.
enum { EVENTS = 10000, NUMBERS = 2000000 };
// Samples where the model says nothing of them.
enum { SAMPLES_A_PERIOD = 64, SAMPLES = 2000, MOST_BY_PERIOD = 100000 };

// Formats that are not written as the run goes, but from the whole result at its end.
static bool is_kept(const call *c) {
    static const char *const ending[] = {".mat", ".uff", ".unv", ".json"};
    const char *dot = c->output ? strrchr(c->output, '.') : NULL;
    for (size_t i = 0; dot && i < sizeof ending / sizeof *ending; i++)
        if (strcmp(dot, ending[i]) == 0) return true;
    return false;
}

static void print_events(const jd_event_counts *e) {
    const struct {
        long n;
        const char *one, *many;
    } kinds[] = {{e->slip, "slip", "slips"},
                 {e->stick, "stick", "sticks"},
                 {e->reversal, "reversal", "reversals"},
                 {e->impact, "impact", "impacts"},
                 {e->close, "closing", "closings"},
                 {e->open, "opening", "openings"}};
    printf("events       %ld", e->total);
    bool first = true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].n == 0) continue;
        printf("%s%ld %s", first ? ": " : ", ", kinds[i].n,
               kinds[i].n == 1 ? kinds[i].one : kinds[i].many);
        first = false;
    }
    printf("\n");
}

static void print_phases(const jd_run_result *r) {
    double length = r->t_end - r->t_start;
    if (r->n_phase < 2 || length <= 0) return;
    letters seen = {0};
    printf("time spent   ");
    for (int i = 0; i < r->n_phase && i < 6; i++) {
        printf("%s%s %.3g %%", i ? ", " : "", r->phase[i].phase, 100 * r->phase[i].time / length);
        if (strcmp(r->phase[i].phase, "other") != 0) legend_add(&seen, r->phase[i].phase);
    }
    printf("%s", r->n_phase > 6 ? ", ..." : "");
    legend_print(&seen, stdout);
    putchar('\n');
}

static void print_grid(const jd_grid_report *g, const char *unit) {
    if (!g->known) return;
    printf("grid         %d nodes on the first body, %ld steps of %.4g%s\n", g->nodes, g->steps,
           g->time_step, unit);
    if (g->estimated)
        printf("error        about %.2g in the displacements, by comparison with %d nodes\n",
               g->error, g->coarse_nodes);
    if (g->energy_fed > 0) printf("             friction fed in %.2g of energy\n", g->energy_fed);
}

static void print_interfaces(const jd_run_result *r) {
    for (int i = 0; i < r->n_interface; i++) {
        const jd_interface_result *c = &r->interface[i];
        if (c->n < 2) continue;
        printf("%-12s %d cells: %ld began to slide, %ld stuck, %ld turned round\n", c->name, c->n,
               c->slip, c->stick, c->reversal);
    }
}

// Of a column of blows the first and the last value.
static void print_blow(const char *what, const double *value, int n, int digits, const char *unit) {
    printf("  %-22s ", what);
    if (n == 1)
        printf("%.*g%s\n", digits, value[0], unit);
    else
        printf("first %.*g%s, last %.*g%s\n", digits, value[0], unit, digits, value[n - 1], unit);
}

// Columns: t, then set and depth of each point, energy delivered (ENTHRU) and others.
static void print_blows(const jd_blows_result *b, bool si) {
    int n = b ? b->table.n_row : 0;
    if (n == 0) return;
    printf("blows        %d by %s\n", n, b->drive);
    for (int k = 1; k < b->table.n_column; k++) {
        const char *name = b->table.name[k]; // "tip.set"
        int stem = (int)strlen(name) - 4;
        char what[80];
        if (stem > 0 && strcmp(name + stem, ".set") == 0) {
            snprintf(what, sizeof what, "set at %.*s", stem, name);
            print_blow(what, b->table.value[k], n, 4, si ? " m" : "");
        } else if (strcmp(name, "delivered") == 0) {
            print_blow("energy delivered", b->table.value[k], n, 6, si ? " J" : "");
        }
    }
}

// Engines that estimate what they may be off by.
static void print_error(double error) {
    if (!(error > 0)) return;
    if (isfinite(error))
        printf("error        at most %.1e of the largest values met (estimated, carried along)\n",
               error);
    else
        printf("error        grows to the size of the motion: --horizon gives the prediction "
               "horizon\n");
}

static void print_horizon(const jd_run_result *r, const char *unit) {
    const jd_horizon *h = &r->horizon;
    if (!h->known) return;
    bool coarse = r->certificate.tolerance > 1e-8; // no six digits to lose by growth
    bool ends = isfinite(h->digits_until);
    if (ends)
        printf("horizon      %s: fewer than six digits are right after t = %.4g%s\n",
               coarse ? "with this tolerance" : "errors grow", h->digits_until, unit);
    if (!ends || coarse)
        printf("%s an error of the start %s by a factor of %.2g\n",
               ends ? "            " : "horizon     ",
               h->log_growth > 0 ? "has grown" : "has shrunk", exp(fabs(h->log_growth)));
}

static void energy_row(call *c, table *t, const char *what, const char *name, double value) {
    const char *label = name ? jd_arena_format(c->arena, "%s %s", what, name) : what;
    const char *number = jd_arena_format(c->arena, "%.6g", value);
    table_row(t, (const char *[]){label ? label : "", number ? number : ""});
}

static bool is_part(double value) { return isfinite(value) && value != 0; }

static void energy_rows(call *c, table *t, const jd_run_result *r, const char *what,
                        size_t member) {
    for (int j = 0; j < r->n_contact; j++) {
        double value = *(const double *)(const void *)((const char *)&r->contact[j] + member);
        if (is_part(value)) energy_row(c, t, what, r->contact[j].name, value);
    }
}

static void print_energy(call *c, const jd_run_result *r, const char *unit) {
    const jd_ledger *l = &r->ledger;
    if (r->no_energy) printf("energy       %s\n", r->no_energy);
    if (r->no_energy || !r->has_ledger) return;
    table *t = table_create(c, "lr");
    if (isfinite(l->start)) energy_row(c, t, "at the start", NULL, l->start);
    for (int d = 0; d < r->n_drive; d++)
        if (is_part(r->drive[d].value))
            energy_row(c, t, "work of drive", r->drive[d].name, r->drive[d].value);
    energy_rows(c, t, r, "work of the counterpart of", offsetof(jd_contact_result, belt));
    if (is_part(l->damping)) energy_row(c, t, "lost in damping", NULL, l->damping);
    energy_rows(c, t, r, "lost in friction at", offsetof(jd_contact_result, friction));
    for (int j = 0; j < r->n_contact; j++) { // the rest went into dashpots and jumps of springs
        double all = r->contact[j].friction, wear = r->contact[j].wear;
        if (isfinite(wear) && fabs(all - wear) > 1e-9 * fabs(all))
            energy_row(c, t, "  of that by sliding at", r->contact[j].name, wear);
    }
    energy_rows(c, t, r, "lost in impacts at", offsetof(jd_contact_result, impacts));
    if (isfinite(l->kinetic)) {
        energy_row(c, t, "kinetic, at the end", NULL, l->kinetic);
        energy_row(c, t, "strain, at the end", NULL, isfinite(l->strain) ? l->strain : 0);
    }
    printf("energy%s\n", unit);
    table_print(t, "  ", stdout);
    if (isfinite(l->residual))
        printf("  balance error %.1e of the work done\n", l->residual);
    else
        printf(
            "  with infinitely many modes it is not known what is stored and what damping took\n");
}

static void print_files(const call *c, const jd_recording *f) {
    const run_asked *asked = c->own;
    if (asked->sampled)
        printf("samples      %ld, %s: the model asks for none (`output: {every: %.3g%s}` does)\n",
               f->n_sample, asked->sampled, f->every, jd_problem_is_si(f->problem) ? " s" : "");
    if (c->output) printf("result       %s\n", c->output);
    if (c->csv) printf("samples      %s (%ld)\n", c->csv, f->n_sample);
    if (asked->events) printf("events       %s\n", asked->events);
    if (!c->output && !asked->series && !c->csv && !asked->events && !c->plot && !asked->wav)
        printf("nothing was kept: -o FILE.h5 keeps samples and events\n");
}

static void print_summary(call *c, const jd_recording *f, const jd_result *result, double seconds) {
    const jd_result_head *head = jd_result_look(result);
    const jd_run_result *r = jd_result_run(result);
    const char *second = head->si ? " s" : "";
    if (head->title[0]) printf("%s\n\n", head->title);
    printf("run          %s engine, t = %.6g to %.6g%s in %.2g s\n", r->engine, r->t_start,
           r->t_end, second, seconds);
    if (r->stop != JD_STOP_END)
        printf("stopped      %s: %s\n", jd_stop_name(r->stop), jd_stop_text(r->stop));
    if (r->note) printf("             %s\n", r->note);
    print_grid(&r->grid, second);
    bool cells = r->n_interface > 0;
    if (!cells || !r->grid.known) print_events(&r->count);
    if (!cells) print_phases(r);
    print_interfaces(r);
    print_blows(r->blows, head->si);
    if (!r->grid.known) report_certificate(&r->certificate, stdout); // a grid proves nothing
    if (r->critical)
        printf("manifold     the critical manifold is a %s where it ended\n", r->critical);
    print_error(r->certificate.error);
    print_horizon(r, second);
    print_energy(c, r, head->si ? " [J]" : "");
    print_files(c, f);
}

// What the picture shows is kept in the file, too. A picture that cannot be drawn is told after
// everything else is written.
static jd_status finish(call *c, jd_recording *f, jd_run_files *files, jd_result *result,
                        clock_t begin) {
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    jd_status picture = JD_OK;
    JD_TRY(jd_recording_end(f, result));
    jd_result_set_command(result, c->command);
    if (c->plot && !report_stop(c))
        picture = jd_result_show(c->context, result, f->problem, NULL, &c->picture);
    JD_TRY(jd_run_files_commit(files, result));
    if (is_kept(c)) JD_TRY(jd_result_write(c->context, result, c->output));
    report_progress_end(c);
    const jd_run_result *r = jd_result_run(result);
    if (c->json) JD_TRY(print_json(c, result, seconds));
    if (wants_words(c)) print_summary(c, f, result, seconds);
    c->stopped = r->stop != JD_STOP_END;
    if (c->stopped && (c->quiet || takes_csv(c)) && !c->json)
        report_warning(c, "stopped early: %s", jd_stop_text(r->stop));
    return picture;
}

static jd_status draw(call *c, const jd_result *result) {
    if (report_stop(c)) report_warning(c, "interrupted: no picture was drawn");
    if (report_stop(c)) return JD_OK;
    JD_TRY(jd_picture_draw(c->context, result, &c->picture, c->plot));
    if (wants_words(c)) printf("picture      %s: %s\n", c->plot, jd_picture_text(c->picture.kind));
    return JD_OK;
}

// A run that is to be kept, of a model that asks for no samples, gets some; *how says which.
static void sample_by_default(jd_recording *f, const char **how) {
    double period = jd_problem_period(f->problem), length = f->until - f->start;
    if (f->every > 0 || !(length > 0)) return;
    bool by_period = period > 0 && length / period * SAMPLES_A_PERIOD <= MOST_BY_PERIOD;
    f->every = by_period ? period / SAMPLES_A_PERIOD : length / SAMPLES;
    *how = by_period ? "64 a drive period" : "2000 steps in all";
}

static jd_status open_files(call *c, jd_recording *f, jd_run_files **files) {
    run_asked *asked = c->own;
    bool samples = c->csv && strcmp(c->csv, "-") == 0;
    bool events = asked->events && strcmp(asked->events, "-") == 0;
    const jd_run_targets to = {.hdf5 = is_kept(c) ? NULL : c->output,
                               .csv = samples ? NULL : c->csv,
                               .csv_stream = samples ? stdout : NULL,
                               .events = events ? NULL : asked->events,
                               .events_stream = events ? stdout : NULL};
    if (c->output || c->csv) sample_by_default(f, &asked->sampled);
    return jd_run_files_open(f, &to, files);
}

static jd_status finish_sound(call *c, jd_wav *wav) {
    const run_asked *asked = c->own;
    double seconds, peak;
    JD_TRY(jd_wav_commit(wav, &seconds, &peak));
    if (wants_words(c))
        printf("sound        %s: %.3g s of %s, loudest %.4g\n", asked->wav, seconds,
               jd_wav_signal(wav), peak);
    return JD_OK;
}

static jd_status record(call *c, jd_recording *f, clock_t begin) {
    const run_asked *asked = c->own;
    bool blows = c->plot && f->blows; // their page shows samples
    const bool kept = is_kept(c);
    const jd_keep keep = {.lists = c->json || blows || kept,
                          .tables = kept,
                          .most_events = kept ? 0 : EVENTS,
                          .most_numbers = kept ? 0 : NUMBERS};
    jd_run_files *files;
    jd_wav *wav = NULL;
    jd_result *result = NULL;
    if (asked->wav) JD_TRY(jd_wav_create(f, asked->wav, asked->rate, asked->signal, &wav));
    JD_TRY(open_files(c, f, &files));
    jd_status s = jd_recording_begin(f, keep, &result);
    if (s == JD_OK) s = jd_recording_run(f);
    if (s == JD_OK) s = finish(c, f, files, result, begin);
    if (s == JD_OK && wav) s = finish_sound(c, wav);
    if (s == JD_OK && c->plot) s = draw(c, result);
    jd_wav_free(wav);
    jd_run_files_abandon(files);
    jd_result_free(result);
    return s;
}

static jd_status write_series(call *c, jd_problem *problem, const char *path) {
    int files = 0;
    JD_TRY(jd_mesh_write_run(c->context, problem, path, &files));
    report_series(c, path, files);
    return JD_OK;
}

static jd_status run_run(call *c) {
    run_asked *asked = c->own;
    jd_problem *problem;
    jd_recording *f = NULL;
    JD_TRY(plot_check(c, "a run",
                      PLOT_FORCES | PLOT_KIND(JD_PICTURE_FIELD) | PLOT_KIND(JD_PICTURE_SLIP) |
                          PLOT_KIND(JD_PICTURE_HORIZON) | PLOT_KIND(JD_PICTURE_SPECTRUM) |
                          PLOT_KIND(JD_PICTURE_WATERFALL) | PLOT_KIND(JD_PICTURE_POINCARE) |
                          PLOT_KIND(JD_PICTURE_MANIFOLD)));
    JD_TRY(load_model(c, &problem));
    asked->series = take_series(c);
    report_listen();
    clock_t begin = clock();
    jd_status s = jd_recording_create(c->context, problem, &f);
    if (s == JD_OK && asked->horizon) s = jd_run_horizon(f->run);
    if (s == JD_OK) s = record(c, f, begin);
    jd_recording_free(f);
    if (s == JD_OK && asked->series) s = write_series(c, problem, asked->series);
    jd_problem_free(problem);
    return s;
}

static const option options[] = {
    // name, value, doc, kind, place
    {"events", "FILE", "write the events as comma-separated values; - is the standard output",
     OPTION_FILE, IN_OWN(run_asked, events), .dash = true},
    {"wav", "FILE", "write a sampled signal as sound, in real time", OPTION_FILE,
     IN_OWN(run_asked, wav)},
    {"rate", "N", "samples per second of the sound: 8000 to 192000; 44100 if not given",
     OPTION_WHOLE, IN_OWN(run_asked, rate), .low = 8000, .high = 192000, .with = "wav"},
    {"signal", "NAME", "the signal: bow.v, bow.u, bridge.force ...; default: v of the first point",
     OPTION_TEXT, IN_OWN(run_asked, signal), .with = "wav"},
    {"horizon", NULL,
     "also give the prediction horizon: the time up to which six digits are right (chaotic motion)",
     OPTION_FLAG, IN_OWN(run_asked, horizon)},
    {0}};

const verb verb_run = {
    .name = "run",
    .arguments = "MODEL.yaml",
    .doc = "motion in time, with every event",
    .help = "Computes the motion that the section `simulate` asks for and prints its events\n"
            "by kind, whether it is proved that none was missed, and the energy balance. -o\n"
            "keeps samples, events and the final state, from which `start: {type: restart,\n"
            "file: ...}` continues; --csv writes the samples, --events the events, --wav a\n"
            "sampled signal as sound, --plot a picture. -o FILE.pvd writes the motion in\n"
            "space for ParaView instead (FILE.0000.vtu ...), -o FILE.mat a MATLAB file,\n"
            "-o FILE.uff the samples as a universal file. Ctrl-C ends the run early and\n"
            "keeps what was computed.\n"
            "\n"
            "The engine `closure` computes piecewise-smooth models: nonlinear-string,\n"
            "friction-oscillator, two-fold and piecewise (by formulas). With `simulate:\n"
            "{engine: closure, modes: N}` it also computes any structure with one friction\n"
            "contact by its N lowest modes and the waves that leave the contact; see `judder\n"
            "list engines` and `judder list structures`.\n",
    .shared = SHARED_RESULTS | SHARED_WINDOW,
    .options = options,
    .own = &(const run_asked){.rate = 44100},
    .own_size = sizeof(run_asked),
    .moves = true,
    .shows = true,
    .least = 1,
    .most = 1,
    .run = run_run,
};
