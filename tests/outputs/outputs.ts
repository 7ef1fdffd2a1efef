import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isEngineError } from '../../engines/errors'
import type { ToolDeclaration } from '../../engines/tools/define'
import { listTools } from '../../engines/tools/registry'
import { runJob } from '../../engines/jobs'
import { LIMITS } from '../support/run-on'

// See run.mjs beside this file.

const MOST_FILES = 40
const MOST_FILE_BYTES = 2_000_000
/** The tools see this time in every run. */
const NOW = new Date('2026-01-02T03:04:05Z')

/** The result of each run by tool, example and file: the hashes of its file, warnings and headers, or its error. */
type Outputs = Record<string, string>

interface Recording {
  folder: string
  /** The tools that ran. */
  tools: string[]
  outputs: Outputs
}

async function main([command, ...args]: string[]): Promise<number> {
  const [first, second, ...named] = args
  if (command === 'record' && first !== undefined && second !== undefined) {
    const tools = named.length > 0 ? named : listTools().map(({ id }) => id)
    const outputs = await runAll(first, tools)
    writeFileSync(second, `${JSON.stringify({ folder: first, tools, outputs } satisfies Recording, null, 1)}\n`)
    tell(`${Object.keys(outputs).length} outputs are recorded`)
    return 0
  }
  if (command === 'compare' && first !== undefined) {
    const recorded = JSON.parse(readFileSync(first, 'utf8')) as Recording
    const differing = findDifferences(recorded.outputs, await runAll(recorded.folder, recorded.tools))
    for (const name of differing) tell(name)
    tell(`${differing.length} of ${Object.keys(recorded.outputs).length} outputs differ`)
    return differing.length === 0 ? 0 : 1
  }
  tell('usage: npm run outputs -- record FOLDER FILE [TOOL …], or npm run outputs -- compare FILE')
  return 2
}

function findDifferences(before: Outputs, after: Outputs): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter(name => before[name] !== after[name])
}

async function runAll(folder: string, tools: readonly string[]): Promise<Outputs> {
  const paths = chooseFiles(folder)
  if (paths.length === 0) throw new Error(`${folder} holds no PDF of ${MOST_FILE_BYTES} bytes or less`)
  const outputs: Outputs = {}
  for (const tool of listTools().filter(({ id }) => tools.includes(id))) {
    const since = performance.now()
    for (const [index, path] of paths.entries()) {
      const other = paths[(index + 1) % paths.length] ?? path
      if (tool.accepts === 'images' || tool.accepts === 'encrypted-pdf' || tool.isRandom) continue
      const files = tool.files === 'many' ? [path, other] : [path]
      for (const { title, options } of chooseExamples(tool)) {
        outputs[`${tool.id}, ${title}, ${basename(path)}`] = await run(tool.id, options, files)
      }
    }
    tell(`${tool.id}: ${((performance.now() - since) / 1000).toFixed(1)} s`)
  }
  return outputs
}

/** A sample spread over the folder, in the order of names. */
function chooseFiles(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path =>
    path.toLowerCase().endsWith('.pdf'),
  )
  const small = all.toSorted().filter(path => statSync(join(folder, path)).size <= MOST_FILE_BYTES)
  const step = Math.max(1, small.length / MOST_FILES)
  const count = Math.min(small.length, MOST_FILES)
  return Array.from({ length: count }, (_, index) => join(folder, small[Math.floor(index * step)] ?? ''))
}

/** Text recognition takes seconds per page, so one of its examples is enough. */
function chooseExamples({ id, examples }: ToolDeclaration) {
  return id === 'pdf-ocr' ? examples.slice(0, 1) : examples
}

async function run(tool: string, options: unknown, paths: string[]): Promise<string> {
  const files = paths.map(path => ({ name: basename(path), bytes: new Uint8Array(readFileSync(path)) }))
  try {
    const { chunks, warnings, headers, name } = await runJob(
      { tool, options, files, limits: LIMITS, now: NOW },
      () => {},
    )
    const hash = createHash('sha256')
    for (const chunk of chunks) hash.update(chunk)
    return `${hash.digest('hex')} ${JSON.stringify({ name, warnings, headers })}`
  } catch (error) {
    return isEngineError(error) ? `${error.reason}: ${error.message}` : `thrown: ${String(error)}`
  }
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

process.exitCode = await main(process.argv.slice(2))
