import { execFileSync } from 'node:child_process'
import { expect, it, vi } from 'vitest'
import { IS_COMPLETE } from '../support/scope'
import { readArguments } from './choose-stages.mjs'
import { runStages } from './run-stages.mjs'
import { summarize } from './summary.mjs'

type Stages = Parameters<typeof runStages>[0]

/** The closing lines of a run. */
async function summarizeRun(stages: Stages, options = {}): Promise<string> {
  const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const results = await runStages(stages, options).finally(() => print.mockRestore())
  return summarize(results).text
}

/** Runs code in a process of its own, whose processor time is measured, and returns what it prints. */
function runCode(code: string): string {
  const script = `import { runStages } from './tests/run/run-stages.mjs'
    import { summarize } from './tests/run/summary.mjs'
    import { runProgram } from './tests/run/programs.mjs'
    ${code}`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
}

const STAGES: Stages = [
  { name: 'first', title: 'First', run: async () => ({ passed: 3, skipped: 1 }) },
  { name: 'second', title: 'Second', run: async () => ({ passed: 1, failed: 1, problems: ['sum: expected 2'] }) },
]

it('the closing lines count each stage, and all of them together', async () => {
  const text = await summarizeRun(STAGES)
  expect(text).toMatch(/Failed: second\nsum: expected 2\n/)
  expect(text).toMatch(
    /first .*3 passed, 0 failed, 1 skipped\nsecond .*1 passed, 1 failed\n\n4 passed, 1 failed, 1 skipped\n$/,
  )
})

it('stages that would begin too late are named as not run', async () => {
  const text = await summarizeRun(STAGES, { untilMs: -1 })
  expect(text).toMatch(/first +not run\nsecond +not run\n\n0 passed, 0 failed, 2 stages not run\n$/)
})

it.runIf(IS_COMPLETE)(
  'lanes run together, stages without a lane after them, and each has its own processor time',
  () => {
    const text = runCode(`let begin, end
    const begun = new Promise(resolve => { begin = resolve })
    const ended = new Promise(resolve => { end = resolve })
    const order = []
    const results = await runStages([
      { name: 'alone', title: 'Alone', run: async () => { order.push('alone'); return { passed: 1 } } },
      { name: 'first', title: 'First', lane: 'a', run: async () => { await begun; end(); return { passed: 1 } } },
      { name: 'busy', title: 'Busy', lane: 'b', async run() {
        begin()
        await ended
        await runProgram(['-e', 'for (const { user } = process.cpuUsage(); process.cpuUsage().user < user + 300_000;);'], { limitMs: 60_000 })
        order.push('busy')
        return { passed: 1 }
      } },
      { name: 'next', title: 'Next', lane: 'b', run: async () => { order.push('next'); return { passed: 1 } } },
    ])
    process.stdout.write('\\n' + order.join(' '))
    process.stdout.write('\\n' + JSON.stringify(results.map(({ name, cpu }) => [name, cpu === undefined || cpu > 0.2])))`)
    const isLinux = process.platform === 'linux'
    expect(text).toContain('\nbusy next alone\n')
    expect(JSON.parse(text.split('\n').at(-1) ?? '')).toEqual([
      ['alone', !isLinux],
      ['first', !isLinux],
      ['busy', true],
      ['next', !isLinux],
    ])
  },
)

it('a stage without a test, and one that throws, fail', async () => {
  const text = await summarizeRun([
    { name: 'empty', title: 'Empty', run: async () => ({}) },
    { name: 'broken', title: 'Broken', run: () => Promise.reject(new Error('no program')) },
  ])
  expect(text).toContain('Failed: empty, broken\nempty: nothing ran\nno program\n')
})

it.runIf(IS_COMPLETE && process.platform === 'linux')(
  'a stage fails that needs more processor time than planned',
  () => {
    const text = runCode(`process.stdout.write(summarize(await runStages([
    { name: 'busy', title: 'Busy', cpuSeconds: 0.001, async run() {
      await runProgram(['-e', 'for (const { user } = process.cpuUsage(); process.cpuUsage().user < user + 300_000;);'], { limitMs: 60_000 })
      return { passed: 1 }
    } },
  ], { hasBudgets: true })).text)`)
    expect(text).toMatch(/busy: needed \d+ s of processor time, and 0 s are planned/)
  },
)

it.each([
  [['--until', 'soon'], /must be followed by a number of seconds. Got soon/],
  [['--rest', '--all'], /only one of --fast, --rest and --all/],
])('the command line %j is refused', (args, message) => {
  expect(() => readArguments(args)).toThrow(message)
})
