import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { listNodeFlags } from '../../engines/pool/node-flags'
import { readPageTexts } from '../support/page-texts'
import { listMissingTexts, makeInvoiceContent } from './invoice-content'
import type { WriterName } from './invoice-writers'
import { against, formatMs, median, print, printTable } from './report'

/** Draw invoices with this number of lines for at least this time. Without a time, end. */
export interface InvoiceRequest {
  lineCount: number
  forMs?: number
}

export type InvoiceResponse =
  | { kind: 'ready' }
  /** The mean CPU time of an invoice, and the last one with its seed. */
  | { kind: 'drawn'; cpuMs: number; seed: number; pdf: Uint8Array }

/** Goals for the ratio of our time to Typst's, by number of lines. */
const LENGTHS: readonly (readonly [lineCount: number, goal: number])[] = [
  [1, 2],
  [40, 2],
  [500, 0.8],
]
const ROUNDS = 7
const ROUND_MS = 150
const WARM_UP_MS = 1500

/**
 * Draws the same invoices in warm processes of this service's engine and of other programs, and compares their CPU
 * times. The pages of all programs must have the same texts. The packages of the others are large, so they are measured
 * only if they are installed: `npm install --no-save @myriaddreamin/typst-ts-node-compiler@0.7.0 pdfmake@0.2.23
 * @react-pdf/renderer@4.9.0`.
 */
export async function measureInvoices(processPath: string, makeFontsPath: string): Promise<void> {
  print(`\nInvoices in warm processes: CPU time of one, medians of ${ROUNDS} rounds, and size of the last one`)
  const rivals: WriterName[] = ['typst', 'pdfmake', 'react-pdf', 'chromium']
  const sheaf = await startProcess(processPath, 'sheaf', makeFontsPath)
  if (!sheaf) throw new Error('the process for invoices does not start')
  const others = await Promise.all(rivals.map(name => startProcess(processPath, name, makeFontsPath)))
  const processes = [sheaf, ...others.filter(one => one !== undefined)]
  const unclaimed = await startProcess(processPath, 'unclaimed', makeFontsPath)
  const electronic = await startProcess(processPath, 'factur-x', makeFontsPath)
  try {
    for (const one of processes) for (const [lineCount] of LENGTHS) await one.draw(lineCount, WARM_UP_MS)
    const rows = [['lines', 'ours', 'size', ...rivals.flatMap(name => [name, 'size', `ours/${name}`])]]
    for (const [lineCount, goal] of LENGTHS) {
      const figures = await compare(processes, lineCount)
      const [ours] = figures
      rows.push([
        String(lineCount),
        formatMs(ours?.cpuMs ?? Number.NaN),
        formatKb(ours?.bytes ?? Number.NaN),
        ...rivals.flatMap((name, index) => {
          const figure = figures[processes.indexOf(others[index] ?? sheaf)]
          if (!others[index] || !figure || !ours) return ['not installed', '–', '–']
          const ratio = ours.cpuMs / figure.cpuMs
          return [
            formatMs(figure.cpuMs),
            formatKb(figure.bytes),
            name === 'typst' ? against(ratio, goal) : ratio.toFixed(2),
          ]
        }),
      ])
    }
    printTable(rows)
    if (unclaimed) await measureClaims(sheaf, unclaimed)
    if (electronic) await measureElectronic(sheaf, electronic)
  } finally {
    for (const one of [...processes, unclaimed, electronic]) one?.end()
  }
}

/** What the claims of PDF/A-3b and PDF/UA-1 add to the processor time of an invoice. */
async function measureClaims(claimed: WarmProcess, unclaimed: WarmProcess): Promise<void> {
  print('\nThe same invoices with `conformance: []`: CPU time')
  const rows = [['lines', 'with claims', 'without', 'with/without (goal)']]
  await unclaimed.draw(ELECTRONIC_LINES, ELECTRONIC_WARM_UP_MS)
  for (const [lineCount] of LENGTHS) {
    await unclaimed.draw(lineCount, WARM_UP_MS)
    const [one, other] = await compare([claimed, unclaimed], lineCount)
    if (!one || !other) continue
    const ratio = against(one.cpuMs / other.cpuMs, CLAIMS_GOAL)
    rows.push([String(lineCount), formatMs(one.cpuMs), formatMs(other.cpuMs), ratio])
  }
  printTable(rows)
}

/** The ratio of processor times with and without claims. */
const CLAIMS_GOAL = 1.3

/** What the XML of an invoice adds to its processor time. */
async function measureElectronic(plain: WarmProcess, electronic: WarmProcess): Promise<void> {
  print('\nThe same invoices as Factur-X: CPU time beyond the plain one')
  const rows = [['lines', 'plain', 'Factur-X', 'more', 'goal']]
  // The plain process has drawn the table before, so it is as warm as its code gets.
  await electronic.draw(ELECTRONIC_LINES, ELECTRONIC_WARM_UP_MS)
  for (const [lineCount] of LENGTHS) {
    await electronic.draw(lineCount, WARM_UP_MS)
    const [one, other] = await compare([plain, electronic], lineCount)
    if (!one || !other) continue
    const more = other.cpuMs - one.cpuMs
    rows.push([
      String(lineCount),
      formatMs(one.cpuMs),
      formatMs(other.cpuMs),
      formatMs(more),
      lineCount === ELECTRONIC_LINES ? `at most ${ELECTRONIC_MS} ms` : '–',
    ])
  }
  printTable(rows)
}

/** The XML of an invoice of so many lines should add no more than this. */
const ELECTRONIC_LINES = 40
const ELECTRONIC_MS = 15
const ELECTRONIC_WARM_UP_MS = 20_000

/** The rounds of all processes alternate because the machine's speed changes. */
async function compare(processes: WarmProcess[], lineCount: number): Promise<{ cpuMs: number; bytes: number }[]> {
  const times = processes.map((): number[] => [])
  const sizes = processes.map(() => 0)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, one] of processes.entries()) {
      const { cpuMs, seed, pdf } = await one.draw(lineCount, ROUND_MS)
      times[index]?.push(cpuMs)
      sizes[index] = pdf.byteLength
      if (round > 0) continue
      const missing = listMissingTexts(makeInvoiceContent(lineCount, seed), await readPageTexts(pdf))
      if (missing.length > 0)
        throw new Error(`${one.name} left out ${missing.length} texts: ${missing.slice(0, 5).join(', ')}`)
    }
  }
  return processes.map((_, index) => ({ cpuMs: median(times[index] ?? []), bytes: sizes[index] ?? 0 }))
}

interface WarmProcess {
  name: WriterName
  draw(lineCount: number, forMs: number): Promise<Extract<InvoiceResponse, { kind: 'drawn' }>>
  end(): void
}

/** Undefined if the program isn't installed. */
async function startProcess(path: string, name: WriterName, makeFontsPath: string): Promise<WarmProcess | undefined> {
  const child = fork(path, [name, makeFontsPath], {
    execArgv: name === 'sheaf' ? listNodeFlags(ENGINE_RSS_BYTES) : [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (complaint += part))
  try {
    await receive(child)
  } catch (error) {
    if (/Cannot find (module|package)/.test(complaint)) return undefined
    throw new Error(`${name} does not start: ${complaint.slice(-800)}`, { cause: error })
  }
  return {
    name,
    async draw(lineCount, forMs) {
      child.send({ lineCount, forMs } satisfies InvoiceRequest)
      const response = await receive(child)
      if (response.kind !== 'drawn') throw new Error(`${name} started twice`)
      return response
    },
    end: () => void child.send({ lineCount: 0 } satisfies InvoiceRequest),
  }
}

/** The next message of a process. Throws if the process ends instead. */
async function receive(child: ChildProcess): Promise<InvoiceResponse> {
  const abort = new AbortController()
  const { signal } = abort
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as InvoiceResponse), // The process sends these.
      once(child, 'close', { signal }).then(([code]) => {
        throw new Error(`ended with ${String(code)}`)
      }),
    ])
  } finally {
    abort.abort()
  }
}

const formatKb = (bytes: number) => `${Math.round(bytes / 1000)} KB`
const ENGINE_RSS_BYTES = 1500 * 2 ** 20
