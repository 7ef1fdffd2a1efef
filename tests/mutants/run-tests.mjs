import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createVitest } from 'vitest/node'

/** The projects of tests/vitest.config.ts with the unit tests of `npm test`. */
const PROJECTS = ['unit', 'unit-isolated']
/** A worker that doesn't end within this time after it was told to is killed. */
const GRACE_MS = 1000

/** All processes below this one have this variable in their environment. */
const MARK = 'SHEAF_MUTANTS'

/**
 * Starts Vitest once for many runs, so that unchanged files are transformed once. Each run has fresh worker processes.
 */
export async function startVitest(root) {
  process.env[MARK] = randomUUID()
  let failed = []
  let durations = new Map()
  let names = []
  const reporter = {
    onTestCaseResult(test) {
      const name = `${test.module.relativeModuleId}: ${test.fullName}`
      names.push(name)
      if (test.result().state === 'failed') failed.push(name)
    },
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
  const known = new Set(listMarked())
  const specs = new Map()
  for (const spec of await vitest.globTestSpecifications()) specs.set(spec.moduleId.slice(root.length + 1), spec)

  /** Ends the current run, also if a worker is in an endless loop. */
  const stop = async () => {
    const cancel = () => vitest.cancelCurrentRun('test-failure')
    void cancel()
    await wait(GRACE_MS)
    await cancel() // The second time kills the workers.
    // Processes that the workers started go on, and would slow the next runs until they time out too.
    for (const pid of listMarked().filter(one => !known.has(one) && one !== process.pid)) killIfThere(pid)
  }

  return {
    has: file => specs.has(file),
    /** Must be called after each change of a file, also after its end. Otherwise the next runs use the old content. */
    forget: file => vitest.invalidateFile(`${root}/${file}`),
    /**
     * Runs test files until a test fails. With a pattern, runs only tests with such a name. Returns what failed, the
     * names of all tests, the duration of each file, and whether the time ran out.
     */
    async run(files, { limitMs, bail = 1, pattern = /(?:)/ }) {
      failed = []
      durations = new Map()
      names = []
      vitest.setGlobalTestNamePattern(pattern)
      for (const project of [vitest, ...vitest.projects]) project.config.bail = bail
      let isTimedOut = false
      let stopped = Promise.resolve()
      const timer = setTimeout(() => {
        isTimedOut = true
        stopped = stop()
      }, limitMs)
      const { unhandledErrors } = await vitest.runTestSpecifications(files.map(file => specs.get(file)))
      clearTimeout(timer)
      await stopped // Otherwise the second cancel would end the next run, whose change would seem to survive.
      if (!isTimedOut) failed.push(...unhandledErrors.map(error => String(error?.message ?? error).split('\n')[0]))
      return { failed, names, durations, isTimedOut }
    },
    stop,
    close: () => vitest.close(),
  }
}

/** The processes that have the variable, without databases. Empty on systems without /proc. */
function listMarked() {
  const mark = `${MARK}=${process.env[MARK]}`
  return readFolder('/proc').flatMap(name => {
    const isMarked = /^\d+$/.test(name) && readText(`/proc/${name}/environ`).split('\0').includes(mark)
    return isMarked && !/postgres/.test(readText(`/proc/${name}/cmdline`)) ? [Number(name)] : []
  })
}

function readFolder(path) {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // The process has ended, or belongs to another user.
  }
}

function killIfThere(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
