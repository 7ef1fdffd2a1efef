import published from './speed.json' with { type: 'json' }

/** A comparison with qpdf, from one run of the benchmark. */
export interface SpeedFigures {
  /** In UTC. */
  date: string
  /** In words, such as `2 cores`. */
  machine: string
  /** The version of qpdf. */
  qpdf: string
  /** How often each job was measured. Each figure is the median. */
  rounds: number
  files: { name: string; bytes: number; pages: number }[]
  tools: {
    tool: string
    /** The job of qpdf: the same, or the nearest one that qpdf has. */
    qpdfDoes: 'the same' | 'an overlay' | 'a rewrite'
    figures: SpeedFigure[]
  }[]
}

/** The processor times of one job on one file. */
export interface SpeedFigure {
  file: string
  /** The time of Sheaf divided by the time of qpdf. */
  ratio: number
  /** Missing if only the ratio was kept. */
  ms?: number
  qpdfMs?: number
}

/** The last published run. `npm run bench -- engine --publish` writes this file. */
export const SPEED = published as SpeedFigures // JSON has no literal types.

/** The comparison of the jobs that qpdf does too, in a few figures. */
export interface SpeedSummary {
  /** The file of `median`, `lowest` and `highest`: the first one. */
  pages: number
  bytes: number
  jobs: number
  median: number
  lowest: number
  highest: number
  /** The highest ratio over all files. */
  highestOfAll: number
}

/** Sums up the jobs that qpdf does too. Undefined if none was measured on the first file. */
export function summarizeSpeed({ files, tools }: SpeedFigures = SPEED): SpeedSummary | undefined {
  const [file] = files
  const figures = tools.flatMap(tool => (tool.qpdfDoes === 'the same' ? tool.figures : []))
  const ratios = figures.flatMap(figure => (figure.file === file?.name ? [figure.ratio] : [])).sort((a, b) => a - b)
  if (file === undefined || ratios.length === 0) return undefined
  return {
    pages: file.pages,
    bytes: file.bytes,
    jobs: ratios.length,
    median: findMedian(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    highestOfAll: Math.max(...figures.map(({ ratio }) => ratio)),
  }
}

/** Lists the jobs for which Sheaf needs more time than qpdf. */
export function listSlowerJobs({ tools }: SpeedFigures = SPEED): { tool: string; figure: SpeedFigure }[] {
  return tools.flatMap(({ tool, figures }) =>
    figures.filter(({ ratio }) => ratio > 1).map(figure => ({ tool, figure })),
  )
}

function findMedian(sorted: number[]): number {
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  return (lower + upper) / 2
}
