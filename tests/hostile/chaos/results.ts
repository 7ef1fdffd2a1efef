import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type DatabaseKind, isPassed, type Row } from './scenario'

/** The result of one scenario on one database. */
export interface Result {
  part: string
  database: DatabaseKind
  /** The requested share of the full numbers. */
  scale: number
  /** The end of the run, in UTC. */
  at: string
  seconds: number
  rows: Row[]
}

/**
 * Results of this run and of earlier runs, stored in a file. A later result replaces an earlier one with the same part
 * and database.
 */
export class Results {
  readonly #path: string
  #results: Result[]

  /** Throws an Error if the file exists and has another format. */
  constructor(path: string) {
    this.#path = path
    this.#results = readResults(path)
  }

  get all(): Result[] {
    return this.#results
  }

  /** Returns whether a part passed before, with at least these numbers. */
  isDone(part: string, database: DatabaseKind, scale: number): boolean {
    return this.#results.some(
      one => one.part === part && one.database === database && one.scale >= scale && didPass(one),
    )
  }

  add(result: Result): void {
    this.#results = [
      ...this.#results.filter(one => one.part !== result.part || one.database !== result.database),
      result,
    ]
    mkdirSync(dirname(this.#path), { recursive: true })
    writeFileSync(`${this.#path}.new`, `${JSON.stringify(this.#results, null, 2)}\n`)
    renameSync(`${this.#path}.new`, this.#path)
  }
}

/** Returns whether every row that this machine can run has passed. */
export function didPass({ rows }: Result): boolean {
  return rows.length > 0 && rows.every(row => row.skipped !== undefined || isPassed(row))
}

/** The results as a readable table: a line for each row, with its errors and notes below it. */
export function describeResults(results: Result[]): string {
  const lines = results.flatMap(result => result.rows.map((row, index) => ({ result, row, isFirst: index === 0 })))
  const cells = lines.map(({ result, row, isFirst }) => [
    isFirst ? `${result.part}, ${result.database}` : '',
    row.what,
    row.skipped === undefined ? `${row.done}/${row.asked}` : '-',
    row.skipped === undefined ? (isPassed(row) ? 'ok' : 'WRONG') : 'skipped',
    isFirst ? result.seconds.toFixed(0) : '',
  ])
  const all = [['part', 'what', 'done/asked', 'verdict', 'seconds'], ...cells]
  const widths = [0, 1, 2, 3, 4].map(column => Math.max(...all.map(row => row[column]?.length ?? 0)))
  const write = (row: string[]) =>
    row
      .map((cell, column) =>
        column === 2 || column === 4 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  const [head = [], ...body] = all
  const below = ({ skipped, note, problems }: Row) =>
    [skipped, note, ...problems]
      .filter(text => text !== undefined)
      .map(text => `${' '.repeat((widths[0] ?? 0) + 4)}${text}`)
  return [
    write(head),
    widths.map(width => '-'.repeat(width)).join('  '),
    ...body.flatMap((row, index) => [
      write(row),
      ...below(lines[index]?.row ?? { what: '', done: 0, asked: 0, problems: [] }),
    ]),
  ].join('\n')
}

function readResults(path: string): Result[] {
  let text
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return [] // This is the first run.
  }
  const read: unknown = JSON.parse(text)
  if (!Array.isArray(read)) throw new Error(`${path} holds no results; remove it or name another file with --results`)
  return read as Result[] // This script wrote the file.
}
