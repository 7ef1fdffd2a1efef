import { setTimeout as wait } from 'node:timers/promises'
import { createVitest } from 'vitest/node'
import { killIfThere, listMarked, markProcesses, readMarked } from './marked-processes.mjs'

/** The projects of tests/vitest.config.ts with the unit tests of `npm test`. */
const PROJECTS = ['unit', 'unit-isolated']
/** A worker that doesn't end within this time after it was told to is killed. */
const GRACE_MS = 1000
/** How often running tests are looked at. */
const LOOK_MS = 500
/** Tests that need less than this at so many looks, and could not run, wait for something that doesn't happen. */
const IDLE_SECONDS = 0.1
const IDLE_LOOKS = 80

/**
 * Starts Vitest once for many runs, so that unchanged files are transformed once. Each run has fresh worker processes.
 */
export async function startVitest(root) {
  markProcesses()
  let failed = []
  let names = []
  let onModuleEnd = () => {}
  let onProgress = () => {}
  const reporter = {
    onTestCaseResult(test) {
      onProgress()
      const name = `${test.module.relativeModuleId}: ${test.fullName}`
      names.push(name)
      if (test.result().state === 'failed') failed.push(name)
    },
    onTestModuleEnd(module) {
      onProgress()
      onModuleEnd(module.relativeModuleId)
      if (module.state() === 'failed') failed.push(module.relativeModuleId)
    },
  }
  const vitest = await createVitest('test', {
    root,
    config: `${root}/tests/vitest.config.ts`,
    watch: false,
    project: PROJECTS,
    reporters: [reporter],
    onConsoleLog: () => false,
  })
  const known = new Set(listMarked())
  const specs = new Map()
  for (const spec of await vitest.globTestSpecifications()) specs.set(spec.moduleId.slice(root.length + 1), spec)

  /** Ends the current run, also if a worker is in an endless loop. */
  const stop = async () => {
    const cancel = () => vitest.cancelCurrentRun('test-failure')
    void cancel()
    await wait(GRACE_MS)
    await cancel() // The second time kills the workers.
    // Processes that the workers started go on, and their processor time would count in the next runs.
    for (const pid of listMarked().filter(one => !known.has(one))) killIfThere(pid)
  }

  /** Runs test files one after the other, because each worker has to load all modules again. */
  const run = async (files, { pattern, bail }) => {
    failed = []
    names = []
    vitest.setGlobalTestNamePattern(pattern)
    for (const project of [vitest, ...vitest.projects]) Object.assign(project.config, { bail, maxWorkers: 1 })
    const { unhandledErrors } = await vitest.runTestSpecifications(files.map(file => specs.get(file)))
    return unhandledErrors.map(error => String(error?.message ?? error).split('\n')[0])
  }

  return {
    has: file => specs.has(file),
    /** Must be called after each change of a file, also after its end. Otherwise the next runs use the old content. */
    forget: file => vitest.invalidateFile(`${root}/${file}`),
    /**
     * Runs all test files. Returns what failed, the names of all tests, and the processor time of each
     * file in seconds.
     */
    async measure(files) {
      const seconds = new Map()
      let before = readMarked().seconds
      onModuleEnd = file => {
        const now = readMarked().seconds
        seconds.set(file, now - before)
        before = now
      }
      const errors = await run(files, { pattern: /(?:)/, bail: 0 })
      onModuleEnd = () => {}
      return { failed: [...failed, ...errors], names, seconds }
    },
    /**
     * Runs the tests with a name like the pattern until one fails. Returns what failed, and whether the run was ended.
     * It is ended if it needs more processor time than the limit between the ends of two tests, or waits for nothing.
     * Neither depends on what else the machine does.
     */
    async run(files, { limitSeconds, pattern }) {
      let seen = { seconds: readMarked().seconds, looks: 0 }
      let isEnded = false
      let stopped = Promise.resolve()
      let hasProgress = false
      let idleSince = seen.seconds
      onProgress = () => (hasProgress = true)
      const watch = setInterval(() => {
        const { seconds, isBusy } = readMarked()
        const isIdle = !isBusy && !hasProgress && seconds - idleSince < IDLE_SECONDS
        if (!isIdle) idleSince = seconds
        seen = { seconds: hasProgress ? seconds : seen.seconds, looks: isIdle ? seen.looks + 1 : 0 }
        hasProgress = false
        if (isEnded || (seconds - seen.seconds <= limitSeconds && seen.looks <= IDLE_LOOKS)) return
        isEnded = true
        stopped = stop()
      }, LOOK_MS)
      const errors = await run(files, { pattern, bail: 1 })
      clearInterval(watch)
      await stopped // Otherwise the second cancel would end the next run, whose change would seem to survive.
      return { failed: isEnded ? failed : [...failed, ...errors], isEnded }
    },
    stop,
    close: () => vitest.close(),
  }
}
