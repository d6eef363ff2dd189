# Judder. Two commands: `make run` and `make test`. Plain `make` builds the release command at build/judder.
MODEL  ?= gallery/friction-beam/rayleigh.yaml
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc 2> /dev/null || echo 2)
BUILD   = build/release

.NOTPARALLEL: # `make -j` would install packages twice at a time; ninja uses all cores anyway
.PHONY: all run test lab test-lab python deps debug asan bench format format-check install uninstall docs api gallery clean help
all: build/judder

help:
	@echo "make              build the release command at build/judder"
	@echo "make run          build and show what comes out of MODEL=$(MODEL)"
	@echo "make test         build and run all tests"
	@echo "make lab          build the page of \`judder lab\` (Node.js)"
	@echo "make test-lab     build it and test it in headless Chromium"
	@echo "make python       build the Python package; /usr/bin/python3 then finds \`import judder\`"
	@echo "make bench        time Judder beside other solvers"
	@echo "make install      install into PREFIX=$(PREFIX) (DESTDIR is honoured)"
	@echo "make uninstall    remove what make install wrote"
	@echo "make debug|asan   build other presets in build/debug, build/asan"
	@echo "make gallery      draw the pictures of the gallery anew; ONLY=two-rods: some of them"
	@echo "make docs         regenerate docs/guide/model.md and the drawing of docs/architecture.md"
	@echo "make api          reference of the C headers in build/api/html"
	@echo "make format       lay the code out with clang-format"

export ASK # no: packages are installed with sudo without a question
deps:
	@sh cmake/deps.sh

$(BUILD)/build.ninja: CMakeLists.txt CMakePresets.json
	@$(MAKE) --no-print-directory deps
	@mkdir -p build
	@cmake --preset release > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }

# Only what is asked for is compiled; on a terminal the steps are counted, elsewhere only complaints are seen.
compile = @cmake --build --preset release -j $(JOBS) $(1) -- $$([ -t 1 ] || echo --quiet)

.PHONY: build/judder
build/judder: deps $(BUILD)/build.ninja
	@[ -e build/judder ] || echo "building the command: about two minutes on two cores"
	$(call compile,--target judder-command)
	@ln -sfn release/judder build/judder

run: build/judder
	@build/judder run $(MODEL) --plot build/run.svg --force

# The package stays in the build folder; a file of the user's own site-packages names it.
python: deps $(BUILD)/build.ninja
	@sh cmake/deps.sh cmake/packages-python.txt
	$(call compile,--target python)
	@/usr/bin/python3 python/link.py $(BUILD)/python

test: build/judder
	@sh cmake/deps.sh cmake/packages-python.txt
	$(call compile,)
	@ctest --preset release -j $(JOBS)

# The page of `judder lab`: npm packages exactly as the lock file names them, built into build/lab. Rollup is taken as WebAssembly, one
# package for every system: `npm ci` would insist on its native parts for all of them, which not every registry has. No package's scripts are run.
LAB_TOOLS = command -v node > /dev/null && command -v npm > /dev/null
lab/node_modules/.package-lock.json: lab/package.json lab/package-lock.json
	@cd lab && npm ci --ignore-scripts --no-fund --no-audit --loglevel=error && touch node_modules/.package-lock.json
build/lab/index.html: lab/node_modules/.package-lock.json $(wildcard lab/*.json lab/*.js lab/*.html lab/src/* lab/public/*)
	@cd lab && npm run --silent build

lab: build/judder
	@$(LAB_TOOLS) || sh cmake/deps.sh cmake/packages-lab.txt
	@$(MAKE) --no-print-directory build/lab/index.html

test-lab: lab
	@command -v chromium > /dev/null || sh cmake/deps.sh cmake/packages-lab-tests.txt
	@cd lab && npm test --silent

debug asan: deps
	@cmake --preset $@ > /dev/null
	@cmake --build --preset $@ -j $(JOBS) -- --quiet

BENCHES = table nsm follow rods rods-events bow response contacts
bench: build/judder
	@sh cmake/deps.sh bench/packages.txt cmake/packages-python.txt
	@cmake --build --preset release --target python -j $(JOBS) -- --quiet
	@cmake -S . -B build/bench -G Ninja -DCMAKE_BUILD_TYPE=Release -DJD_BENCH=ON -DJD_TESTS=OFF > build/bench.log 2>&1 || { cat build/bench.log; exit 1; }
	@cmake --build build/bench -j $(JOBS) -- --quiet
	@failed=0; for b in $(BENCHES); do build/bench/$$b || failed=1; done; \
	sh bench/map.sh build/judder build/bench || failed=1; \
	sh bench/shards.sh $(CURDIR)/build/judder build/bench $$([ -x build/release/judder-mpi ] && echo $(CURDIR)/build/release/judder-mpi) || failed=1; \
	sh bench/modes.sh build/judder build/bench/modes || failed=1; \
	build/bench/startup build/judder gallery/friction-beam/rayleigh.yaml || failed=1; \
	sh bench/instructions.sh . build/bench/instructions || failed=1; \
	if command -v chromium > /dev/null && $(LAB_TOOLS); then $(MAKE) --no-print-directory lab && (cd lab && timeout 300 npm run --silent bench) || failed=1; fi; \
	PYTHONPATH=$(BUILD)/python /usr/bin/python3 -B bench/variants.py build/bench/variants || failed=1; exit $$failed

install: build/judder
	$(call compile,--target judder judder-shared)
	@if $(LAB_TOOLS); then $(MAKE) --no-print-directory build/lab/index.html; \
	else echo "the page of \`judder lab\` is left out: Node.js is not installed"; fi
	@cmake --install $(BUILD) --prefix $(PREFIX)

# What the last `make install` wrote, by cmake's list of it.
uninstall:
	@list=$(BUILD)/install_manifest.txt; [ -f $$list ] || { echo "nothing to remove: \`make install\` has not been run in this folder"; exit 1; }; \
	while read -r file || [ -n "$$file" ]; do rm -f "$(DESTDIR)$$file"; rmdir -p --ignore-fail-on-non-empty "$$(dirname "$(DESTDIR)$$file")" 2> /dev/null; done < $$list; \
	echo "removed $$(grep -c . $$list) files of $$list"

gallery: build/judder
	@sh gallery/build.sh build/judder $(ONLY)

docs: build/judder
	@sh cmake/deps.sh docs/packages.txt
	@build/judder list --markdown > docs/guide/model.md
	@sh docs/architecture.sh . > docs/architecture.dot
	@tred docs/architecture.dot | dot -Tsvg | sed '/^<!-- Generated/d; /^ -->/d' > docs/architecture.svg

api:
	@sh cmake/deps.sh docs/packages.txt
	@mkdir -p build
	@doxygen docs/Doxyfile
	@echo build/api/html/index.html

SOURCES = $(shell git ls-files '*.c' '*.h' 2> /dev/null)
format:
	@clang-format -i $(SOURCES)
format-check:
	@clang-format --dry-run -Werror $(SOURCES)

clean:
	@rm -rf build
