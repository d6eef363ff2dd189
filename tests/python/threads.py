"""threads.py -- Ctrl-C, progress hooks and threads: long calls end early with what there is, and run side by side."""
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings

import case
import judder as jd

LONG = "1000000 periods"


class Threads(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", UserWarning)
        self.m = jd.load(case.BEAM)

    def after(self, seconds, call):
        timer = threading.Timer(seconds, call)
        timer.start()
        self.addCleanup(timer.cancel)

    def test_ctrl_c_keeps_what_there_is(self):
        self.after(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
        begin = time.monotonic()
        r = self.m.run(until=LONG, samples=1)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertTrue(r.interrupted)
        self.assertGreater(len(r.events), 0)
        self.assertGreater(r.t_end, 0)
        self.assertEqual(self.m.run(until="2 periods").stop, "end")  # the model can go on

    def test_ctrl_c_ends_a_sweep_and_a_batch(self):
        import numpy as np
        self.after(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
        s = self.m.sweep({"contacts.tip.law.limit": np.linspace(0.1, 1, 100000)})
        self.assertFalse(s.complete)
        self.assertLess(s.points["done"].sum(), 100000)
        self.after(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
        b = jd.batch(self.m, [{"contacts.tip.law.limit": 0.5}] * 50, until=LONG, threads=2)
        self.assertTrue(b.interrupted)
        self.assertIsNone(b[49])
        self.assertTrue(b[0].interrupted)

    def test_a_hook_is_told_the_fraction_and_may_stop(self):
        seen = []

        def hook(what, fraction):
            seen.append((what, fraction))
            return fraction == 0

        r = self.m.run(until="100000 periods", samples=1, progress=hook)
        self.assertTrue(r.interrupted)
        self.assertGreater(seen[-1][1], 0)
        self.assertTrue(all(0 <= f <= 1 for _, f in seen))
        self.assertTrue(any(what for what, _ in seen))

    def test_an_exception_of_a_hook_stops_and_is_raised(self):
        def hook(what, fraction):
            raise ZeroDivisionError("in the hook")

        begin = time.monotonic()
        with self.assertRaisesRegex(ZeroDivisionError, "in the hook"):
            self.m.run(until=LONG, progress=hook)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual(self.m.run(until="2 periods").stop, "end")

    def test_a_keyboard_interrupt_inside_a_hook_keeps_what_there_is(self):
        def hook(what, fraction):
            raise KeyboardInterrupt

        self.assertTrue(self.m.run(until=LONG, samples=1, progress=hook).interrupted)

    def test_a_second_ctrl_c_does_not_wait(self):
        # The modes of a large structure cannot be interrupted: only the second Ctrl-C ends the wait.
        code = ("import os, signal, threading, judder as jd\n"
                "m = jd.Model().body('', 'chain', count=1500, mass=1.0, stiffness=1.0, modes='all')\n"
                "for s in (1.0, 1.5): threading.Timer(s, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
                "try:\n    m.modes()\n    print('done')\n"
                "except KeyboardInterrupt:\n    print('interrupted', flush=True)\n    os._exit(0)\n")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
        self.assertIn(done.stdout.strip(), ("interrupted", "done"), done.stderr)

    def test_the_lock_of_the_interpreter_is_released(self):
        ticks, stop = [0], threading.Event()

        def tick():
            while not stop.is_set():
                ticks[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        before = ticks[0]
        self.m.run(until="2000 periods", samples=1)
        stop.set()
        thread.join()
        self.assertGreater(ticks[0] - before, 20)

    def test_two_threads_compute_at_the_same_time(self):
        models = [self.m.copy() for _ in range(2)]
        inside, most, lock = [0], [0], threading.Lock()
        want = self.m.run(until="1500 periods", samples=1).events["t"].tolist()
        results = [None, None]
        spent = time.process_time()
        begin = time.monotonic()

        def work(i):
            with lock:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            results[i] = models[i].run(until="1500 periods", samples=1)
            with lock:
                inside[0] -= 1

        threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        wall, cpu = time.monotonic() - begin, time.process_time() - spent
        self.assertEqual(most[0], 2)
        for r in results:
            self.assertEqual(r.events["t"].tolist(), want)
        if os.cpu_count() > 1 and os.getloadavg()[0] < 0.8:  # a busy machine shows nothing
            self.assertGreater(cpu / wall, 1.4)

    def test_short_runs_begin_and_end_while_a_long_one_computes(self):
        long, ended = self.m.copy(), []
        group = jd._work.Group()

        def work():
            jd._work.here.group = group
            long.run(until=LONG, samples=1)
            ended.append(1)

        thread = threading.Thread(target=work)
        thread.start()
        for _ in range(5):
            self.assertEqual(self.m.run(until="10 periods").stop, "end")
        self.assertEqual(ended, [])  # no lock is held during a call
        group.cancel()
        thread.join(60)
        self.assertEqual(ended, [1])

    def test_threads_share_one_model(self):
        want = self.m.run(until="20 periods").events["t"].tolist()
        wrong = []

        def work():
            for _ in range(5):
                if self.m.run(until="20 periods").events["t"].tolist() != want:
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_an_error_in_a_thread_is_raised_where_it_was_asked_for(self):
        with self.assertRaises(jd.ModelError):
            self.m.run(until="1 periods", engine="taylor")


if __name__ == "__main__":
    case.main()
