# The front door. Each target calls a script of .ci or a CMake preset; the work is there.
PREFIX ?= /usr/local
DESTDIR ?=

.DEFAULT_GOAL := help
.PHONY: help demo test install package wheel vsix site release bench format lint gen goldens

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

demo: ## install what is missing, build, and see what tikc is for
	@.ci/demo

test: ## install what is missing, build, and run what must pass
	@.ci/test gate

install: ## build and install under PREFIX (default /usr/local), staged in DESTDIR
	@.ci/setup demo
	@.ci/build release tikc tikc-verify libtikc pages
	DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)' --strip

package: ## build a .deb and a .tar.gz in build/release
	@.ci/setup package
	@.ci/build release tikc tikc-verify libtikc pages
	@.ci/pack build/release

wheel: ## make the wheel of the Python package in build/release
	@.ci/setup demo
	@.ci/build release tikc libtikc
	@python/wheels.py build/release

vsix: ## build the extension for VS Code in build/editors
	@.ci/setup editors
	@editors/vscode/package.py

site: ## build the documentation site in build/site/html
	@.ci/setup site
	@.ci/build release pages
	@.ci/site

release: ## make the files of a release, and their sums, in build/dist
	@.ci/release

bench: ## measure tikc next to its peers
	@.ci/bench

format: ## format the C++ sources in place
	@.ci/format --fix

lint: ## clang-tidy over the compiler
	@.ci/tidy

gen: ## regenerate every generated file of the tree
	@.ci/gen write

goldens: ## accept the current output in every golden
	@.ci/goldens
