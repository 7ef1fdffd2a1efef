import { setTimeout as wait } from 'node:timers/promises'
import { createVitest } from 'vitest/node'

/** The projects of tests/vitest.config.ts with the unit tests of `npm test`. */
const PROJECTS = ['unit', 'unit-isolated', 'slow', 'sampled']
/** A worker that doesn't end within this time after it was told to is killed. */
const GRACE_MS = 1000

/**
 * Starts Vitest once for many runs, so that unchanged files are transformed once. Each run has fresh worker processes.
 */
export async function startVitest(root) {
  let failed = []
  let durations = new Map()
  const reporter = {
    onTestCaseResult: test =>
      test.result().state === 'failed' && failed.push(`${test.module.relativeModuleId}: ${test.fullName}`),
    onTestModuleEnd(module) {
      const { collectDuration, duration, setupDuration } = module.diagnostic()
      durations.set(module.relativeModuleId, collectDuration + duration + setupDuration)
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
  const specs = new Map()
  for (const spec of await vitest.globTestSpecifications()) specs.set(spec.moduleId.slice(root.length + 1), spec)

  /** Ends the current run, also if a worker is in an endless loop. */
  const stop = async () => {
    const cancel = () => vitest.cancelCurrentRun('test-failure')
    void cancel()
    await wait(GRACE_MS)
    await cancel() // The second time kills the workers.
  }

  return {
    has: file => specs.has(file),
    /**
     * Runs test files until one fails. Returns what failed, the duration of each file, and whether the time ran out.
     */
    async run(files, { changed, limitMs, bail = 1 }) {
      failed = []
      durations = new Map()
      if (changed !== undefined) vitest.invalidateFile(`${root}/${changed}`)
      for (const project of [vitest, ...vitest.projects]) project.config.bail = bail
      let isTimedOut = false
      let stopped
      const timer = setTimeout(() => {
        isTimedOut = true
        stopped = stop()
      }, limitMs)
      const { unhandledErrors } = await vitest.runTestSpecifications(files.map(file => specs.get(file)))
      clearTimeout(timer)
      await stopped // Otherwise the second cancel would end the next run, whose change would seem to survive.
      if (!isTimedOut) failed.push(...unhandledErrors.map(error => String(error?.message ?? error).split('\n')[0]))
      return { failed, durations, isTimedOut }
    },
    stop,
    close: () => vitest.close(),
  }
}
