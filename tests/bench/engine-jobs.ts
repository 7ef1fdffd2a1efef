import type { FileName } from './make-files'

/** One job as our engine and as the qpdf command line do it, and the goal for the quotient of their CPU times. */
export interface EngineJob {
  title: string
  tool: string
  file: FileName
  /** How often the file is given: twice for a merge. */
  copies: number
  options: Record<string, unknown>
  /** qpdf's arguments for input and output paths. */
  qpdf(input: string, output: string): string[]
  goal: number
  /** A goal in milliseconds besides. */
  goalMs?: number
}

interface Size {
  file: FileName
  pageCount: number
  /** Goals: edits, merge, choosing pages, split. */
  goals: [number, number, number, number]
  goalMs?: number
}

const SIZES: Size[] = [
  { file: 'medium', pageCount: 200, goals: [0.4, 0.4, 0.8, 1] },
  { file: 'mediumCompressed', pageCount: 200, goals: [0.4, 0.4, 0.8, 1] },
  { file: 'large', pageCount: 2400, goals: [1, 1, 1, 1] },
  { file: 'largeCompressed', pageCount: 2400, goals: [1, 1, 1, 1] },
  { file: 'small', pageCount: 8, goals: [0.3, 0.3, 0.3, 0.3], goalMs: 5 },
]

/** Every job on every size of file. */
export const ENGINE_JOBS: EngineJob[] = SIZES.flatMap(({ file, pageCount, goals: [edits, merge, choosing, split], goalMs }) => {
  const half = pageCount / 2
  const perPart = Math.max(1, pageCount / 20)
  const every = (step: number, first = 1) => Array.from({ length: Math.ceil((pageCount - first + 1) / step) }, (_, index) => first + index * step)
  const pagesOf = (selection: string) => (input: string, output: string) => ['--empty', '--pages', input, selection, '--', output]
  const reordered = (selection: string) => (input: string, output: string) => [input, '--pages', '.', selection, '--', output]
  const job = (tool: string, goal: number, options: EngineJob['options'], qpdf: EngineJob['qpdf'], copies = 1): EngineJob => ({
    title: `${tool} ${file}`, tool, file, copies, options, qpdf, goal, ...(goalMs === undefined ? {} : { goalMs }),
  })
  return [
    job('merge-pdf', merge, {}, (input, output) => ['--empty', '--pages', input, input, '--', output], 2),
    job('split-pdf', split, { mode: 'ranges', ranges: every(perPart).map(start => ({ start, end: start + perPart - 1 })) }, (input, output) => [
      input, `--split-pages=${perPart}`, output,
    ]),
    job('rotate-pdf', edits, { angle: 90 }, (input, output) => [input, '--rotate=+90', output]),
    job('delete-pages', choosing, { pages: every(4, 2) }, pagesOf(every(1).filter(page => page % 4 !== 2).join(','))),
    job('extract-pages', choosing, { pages: every(2) }, pagesOf('1-z:odd')),
    job('organize-pdf', edits, { pageOrder: [...every(1, half + 1), ...every(1).slice(0, half)] }, reordered(`${half + 1}-z,1-${half}`)),
    job('reverse-pages', edits, {}, reordered('z-1')),
  ]
})
