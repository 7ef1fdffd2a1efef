import type { SpeedFigures } from '../../lib/docs/speed'
import type { FileName } from './make-files'
import { TERM } from './redaction-files'
import type { Rival } from './rivals'

/** One job in our engine and in other programs, and the goal for the ratio of its CPU time to qpdf's. */
export interface EngineJob {
  title: string
  tool: string
  file: FileName
  /** How many times the job gets the file: twice for a merge. */
  copies: number
  /** A second file after it. */
  other?: FileName
  options: Record<string, unknown>
  /** The arguments of the programs that can do the job, for input and output paths. */
  rivals: Rivals
  /** Undefined for work that no other program does. */
  goal?: number
  /** The goal for the ratio to mutool's CPU time. */
  mutoolGoal?: number
  /** The goal for the ratio to Ghostscript's CPU time. */
  gsGoal?: number
  /** An additional goal in milliseconds. */
  goalMs?: number
}

type Rivals = Partial<Record<Rival, (input: string, output: string, other: string) => string[]>>

interface Size {
  file: FileName
  pageCount: number
  /** Goals for edits, merging, selecting pages and splitting. */
  goals: [number, number, number, number]
  goalMs?: number
  /** Whether the ratios to mutool have goals. */
  isAgainstMutool?: boolean
}

const SIZES: Size[] = [
  { file: 'medium', pageCount: 200, goals: [0.4, 0.4, 0.8, 1], isAgainstMutool: true },
  { file: 'mediumCompressed', pageCount: 200, goals: [0.4, 0.4, 0.8, 1], isAgainstMutool: true },
  { file: 'large', pageCount: 2400, goals: [1, 1, 1, 1] },
  { file: 'largeCompressed', pageCount: 2400, goals: [1, 1, 1, 1] },
  { file: 'small', pageCount: 8, goals: [0.3, 0.3, 0.3, 0.3], goalMs: 5 },
  { file: 'giant', pageCount: 160, goals: [0.4, 0.6, 0.8, 1] },
]

/** Goals for the ratio to mutool's CPU time, by tool. */
const MUTOOL_GOALS: Readonly<Record<string, number>> = {
  'merge-pdf': 0.9,
  'delete-pages': 1,
  'extract-pages': 1.2,
  'rotate-pdf': 0.7,
  'organize-pdf': 0.7,
  'reverse-pages': 0.7,
  'crop-pdf': 0.7,
  'add-blank-page': 0.7,
  'edit-metadata': 0.7,
  'remove-metadata': 0.8,
  'remove-annotations': 0.8,
}

const FLATTEN_GOAL = 1.2
const OVERLAY_GOAL = 0.5

/** Places the first page over all pages: the closest equivalent of drawing the same content on each page. */
const OVERLAY: Rivals = { qpdf: (input, output) => [input, '--overlay', input, '--from=', '--repeat=1', '--', output] }

/** Writes the file unchanged. */
const REWRITE: Rivals = {
  qpdf: (input, output) => [input, output],
  mutool: (input, output) => ['clean', input, output],
  pdftk: (input, output) => [input, 'output', output],
}

/** Searches for a term and redacts it. The other programs only read and write the file. */
const REDACTION: EngineJob[] = (
  [
    ['redactionPage', 25],
    ['redactionPages', 3000],
  ] as const
).map(([file, goalMs]) => ({
  title: `pdf-redaction ${file}`,
  tool: 'pdf-redaction',
  file,
  copies: 1,
  options: { search: [{ text: TERM }] },
  rivals: REWRITE,
  goalMs,
}))

/** The files whose figures are published, with their numbers of pages. The others are too small or take too long. */
export const PUBLISHED_FILES = SIZES.filter(({ file }) => file !== 'small' && file !== 'giant')

/** Returns what qpdf does in a job: the same, or the nearest job that it has. */
export function compareWithQpdf({ rivals: { qpdf } }: EngineJob): SpeedFigures['tools'][number]['qpdfDoes'] {
  if (qpdf === OVERLAY.qpdf) return 'an overlay'
  return qpdf === REWRITE.qpdf ? 'a rewrite' : 'the same'
}

const SCREEN: Pick<EngineJob, 'options' | 'rivals'> = {
  options: { level: 'screen' },
  rivals: { gs: (input, output) => ['-q', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook', '-o', output, input] },
}

/** Jobs of tools that change or read content, each against the best program for it. */
const CONTENT: EngineJob[] = [
  job('compress-pdf', 'medium', SCREEN),
  { ...job('compress-pdf', 'scan', SCREEN), gsGoal: 2 },
  job('protect-pdf', 'scans', {
    options: { userPassword: 'user', ownerPassword: 'owner' },
    rivals: { qpdf: (input, output) => ['--encrypt', 'user', 'owner', '256', '--', input, output] },
  }),
  job('unlock-pdf', 'mediumLocked', {
    options: { password: 'user' },
    rivals: { qpdf: (input, output) => ['--decrypt', '--password=user', input, output] },
  }),
  job('pdf-to-images', 'letter', {
    options: { dpi: 150 },
    rivals: {
      mutool: (input, output) => ['draw', '-q', '-r', '150', '-o', `${output}-%d.png`, input],
      pdftoppm: (input, output) => ['-r', '150', '-png', input, output],
    },
  }),
  ...(['photo', 'largePhoto', 'scanImage'] as const).map(file => {
    const copies = file === 'photo' ? 20 : 1
    const img2pdf = (input: string, output: string) => [...Array.from({ length: copies }, () => input), '-o', output]
    return job('images-to-pdf', file, { options: {}, copies, rivals: { img2pdf } })
  }),
  job('extract-text', 'medium', {
    options: {},
    rivals: {
      mutool: (input, output) => ['draw', '-q', '-F', 'txt', '-o', output, input],
      pdftotext: (input, output) => ['-layout', input, output],
    },
  }),
  job('compare-pdfs', 'medium', {
    options: { format: 'json' },
    other: 'mediumChanged',
    rivals: { comparepdf: (input, _, other) => ['-c', 'appearance', input, other] },
  }),
]

function job(
  tool: string,
  file: FileName,
  { options, rivals, copies = 1, other }: Pick<EngineJob, 'options' | 'rivals'> & { copies?: number; other?: FileName },
): EngineJob {
  return { title: `${tool} ${file}`, tool, file, copies, options, rivals, ...(other && { other }) }
}

/** Every job on every size of file. */
export const ENGINE_JOBS: EngineJob[] = [
  ...REDACTION,
  ...CONTENT,
  ...SIZES.flatMap(({ file, pageCount, goals: [edits, merge, choosing, split], goalMs, isAgainstMutool }) => {
    const half = pageCount / 2
    const perPart = Math.max(1, pageCount / 20)
    const every = (step: number, first = 1) =>
      Array.from({ length: Math.ceil((pageCount - first + 1) / step) }, (_, index) => first + index * step)
    const job = (tool: string, goal: number, options: EngineJob['options'], rivals: Rivals, copies = 1): EngineJob => ({
      title: `${tool} ${file}`,
      tool,
      file,
      copies,
      options,
      rivals,
      goal,
      ...(isAgainstMutool && tool in MUTOOL_GOALS ? { mutoolGoal: MUTOOL_GOALS[tool] } : {}),
      ...(goalMs === undefined ? {} : { goalMs }),
    })
    const others = every(1)
      .filter(page => page % 4 !== 2)
      .join(',')
    return [
      job(
        'merge-pdf',
        merge,
        {},
        {
          qpdf: (input, output) => ['--empty', '--pages', input, input, '--', output],
          mutool: (input, output) => ['merge', '-o', output, input, input],
          pdftk: (input, output) => [input, input, 'cat', 'output', output],
        },
        2,
      ),
      job(
        'split-pdf',
        split,
        { mode: 'ranges', ranges: every(perPart).map(start => ({ start, end: start + perPart - 1 })) },
        { qpdf: (input, output) => [input, `--split-pages=${perPart}`, output] },
      ),
      job(
        'rotate-pdf',
        edits,
        { angle: 90 },
        {
          qpdf: (input, output) => [input, '--rotate=+90', output],
          // mutool doesn't rotate pages. Its time to read and write the file is the nearest comparison.
          mutool: (input, output) => ['clean', input, output],
          pdftk: (input, output) => [input, 'cat', '1-endright', 'output', output],
        },
      ),
      job('delete-pages', choosing, { pages: every(4, 2) }, choosePages(others, others)),
      job('extract-pages', choosing, { pages: every(2) }, choosePages('1-z:odd', every(2).join(','))),
      job(
        'organize-pdf',
        edits,
        { pageOrder: [...every(1, half + 1), ...every(1).slice(0, half)] },
        reorderPages(`${half + 1}-z,1-${half}`, `${half + 1}-${pageCount},1-${half}`),
      ),
      job('reverse-pages', edits, {}, reorderPages('z-1', `${pageCount}-1`)),
      // The programs have no equivalent, or only for some documents. The comparison uses their time to read and write
      // the file.
      job('crop-pdf', edits, { margins: 20 }, REWRITE),
      job('add-blank-page', edits, { position: 'end' }, REWRITE),
      job('edit-metadata', edits, { title: 'Figures', author: 'Bench' }, REWRITE),
      job('remove-metadata', edits, {}, REWRITE),
      job('remove-annotations', edits, {}, REWRITE),
      job('page-numbers', OVERLAY_GOAL, {}, OVERLAY),
      job('add-watermark', OVERLAY_GOAL, { text: 'CONFIDENTIAL' }, OVERLAY),
      job(
        'header-footer',
        OVERLAY_GOAL,
        { header: { left: 'Figures', right: '{date}' }, footer: { center: '{page} / {total}' } },
        OVERLAY,
      ),
      job(
        'flatten-pdf',
        FLATTEN_GOAL,
        {},
        { qpdf: (input, output) => [input, '--generate-appearances', '--flatten-annotations=all', output] },
      ),
    ]
  }),
]

/** Copies pages into a new document. The other programs' selections have no `z` and no `:odd`. */
function choosePages(selection: string, plain: string): Rivals {
  return {
    qpdf: (input, output) => ['--empty', '--pages', input, selection, '--', output],
    mutool: (input, output) => ['merge', '-o', output, input, plain],
    pdftk: (input, output) => [input, 'cat', ...plain.split(','), 'output', output],
  }
}

function reorderPages(selection: string, plain: string): Rivals {
  return { ...choosePages(selection, plain), qpdf: (input, output) => [input, '--pages', '.', selection, '--', output] }
}
