import { z } from 'zod'
import { EngineError } from '../errors'
import { splitAtBlanks } from '../pdf-core/pages/split-at-blanks'
import {
  PartSequence,
  splitAtBookmarks,
  splitBySize,
  splitEvery,
  splitIntoParts,
  openPart,
  prepareToSplit,
} from '../pdf-core/pages/split-document'
import type { Cut } from '../pdf-core/pages/split-document'
import type { PdfDocument } from '../pdf-core/document/document'
import { saveDocument } from '../pdf-core/pages/save'
import { alternatives } from '../options/alternatives'
import { BLANK_THRESHOLD, blankThresholdOption, outputNameOption, pagesOption } from '../options/schemas'
import { resolvePage, resolvePages } from '../options/selectors'
import { findBlankPages } from '../pdfium/blank-pages'
import { defineTool } from './define'
import type { ToolContext, ToolInput, ToolOutput, ToolPart } from './define'
import { partName } from './file-name'

const rangeSchema = z.strictObject({
  start: z.number().int().min(1).describe('First page of the part, from 1.'),
  end: z.number().int().min(1).describe('Last page of the part; smaller than `start` counts backwards.'),
  name: z
    .string()
    .min(1)
    .max(120)
    .optional()
    .describe('File name of the part, at most 120 characters. Default: as `nameTemplate` says.'),
})

type Range = z.output<typeof rangeSchema> | number[] | string

const PLACEHOLDERS = ['name', 'index', 'start', 'end', 'title', 'range']
const NAME_TEMPLATE = '{name}-{index}'

const optionsSchema = z
  .strictObject({
    mode: z
      .enum(['ranges', 'every', 'pages', 'count', 'bookmarks', 'size', 'blank'])
      .default('ranges')
      .describe(
        'How to cut: `ranges` makes one part of each entry of `ranges`, `every` of each `every` pages, `pages` of ' +
          'each page; `count` makes `parts` even parts; `bookmarks` cuts at bookmarks, `size` where a part would ' +
          'have more than `maxBytes`, `blank` at blank pages.',
      ),
    ranges: z
      .array(z.union([rangeSchema, pagesOption('Pages of the part.')]))
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'Mode `ranges`, needed there: one entry a part, `{start, end}` or a page selector such as `"1-3,7"`. Parts ' +
          'may overlap and leave pages out.',
      ),
    every: z
      .number()
      .int()
      .min(1)
      .max(20_000)
      .optional()
      .describe('Mode `every`, needed there: pages of a part; the last part may have fewer.'),
    parts: z
      .number()
      .int()
      .min(2)
      .max(20_000)
      .optional()
      .describe(
        'Mode `count`, needed there: how many parts, at most one a page; the first ones get the pages left over.',
      ),
    level: z
      .number()
      .int()
      .min(1)
      .max(6)
      .default(1)
      .describe('Mode `bookmarks`: cuts at bookmarks down to this level; 1 is the outermost.'),
    includeFrontMatter: z
      .boolean()
      .default(true)
      .describe('Mode `bookmarks`: whether pages before the first bookmark become a part.'),
    maxBytes: z
      .number()
      .int()
      .min(50_000)
      .max(2_000_000_000)
      .optional()
      .describe(
        'Mode `size`, needed there: bytes that the file of a part may have. A page that is larger alone becomes a ' +
          'part of its own, with the warning `part-over-size`.',
      ),
    blankThreshold: blankThresholdOption,
    keepBlank: z
      .boolean()
      .default(false)
      .describe(
        'Mode `blank`: whether blank pages stay, at the end of the part before them; otherwise no part has them.',
      ),
    pages: pagesOption('Every mode but `ranges`: cuts only these pages, in this order; all when omitted.').optional(),
    nameTemplate: z
      .string()
      .min(1)
      .max(200)
      .default(NAME_TEMPLATE)
      .describe(
        'File names of the parts: `{name}` of the input, `{index}` of the part from 1, `{start}` and `{end}` for ' +
          'the numbers of its first and last page, `{range}` for all its pages, `{title}` of its bookmark (mode ' +
          '`bookmarks`). Numbers are padded with zeros so that the names sort.',
      ),
    names: z
      .array(z.string().min(1).max(120).describe('File name of the part; the extension is added when it is missing.'))
      .min(1)
      .max(20_000)
      .optional()
      .describe('File names in place of `nameTemplate`, exactly one a part, in their order.'),
    bookmarks: z
      .enum(['keep', 'none'])
      .default('keep')
      .describe('Whether the parts keep the bookmarks that lead to their pages.'),
    manifest: z
      .boolean()
      .default(false)
      .describe(
        'Adds `manifest.json`: an array of `file`, `pages` (their numbers in the input), `title` (of the bookmark, ' +
          'or null), `bytes` and `sha256` of every part.',
      ),
    outputName: outputNameOption,
  })
  .superRefine((options, context) => {
    const blame = (option: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [option], message })
    for (const [mode, option, isGiven] of [
      ['ranges', 'ranges', options.ranges !== undefined],
      ['every', 'every', options.every !== undefined],
      ['count', 'parts', options.parts !== undefined],
      ['size', 'maxBytes', options.maxBytes !== undefined],
    ] as const) {
      if (mode === options.mode && !isGiven) blame(option, `is missing; mode "${mode}" needs it`)
      if (mode !== options.mode && isGiven) blame(option, `belongs to mode "${mode}"; the mode is "${options.mode}"`)
    }
    if (options.mode !== 'bookmarks') {
      const message = `belongs to mode "bookmarks"; the mode is "${options.mode}"`
      if (options.level !== 1) blame('level', message)
      if (!options.includeFrontMatter) blame('includeFrontMatter', message)
      if (options.nameTemplate.includes('{title}')) blame('nameTemplate', `{title} ${message}`)
    }
    if (options.mode !== 'blank') {
      const message = `belongs to mode "blank"; the mode is "${options.mode}"`
      if (options.blankThreshold !== BLANK_THRESHOLD) blame('blankThreshold', message)
      if (options.keepBlank) blame('keepBlank', message)
    }
    if (options.mode === 'ranges' && options.pages !== undefined)
      blame('pages', 'belongs to every mode but "ranges", whose entries name their pages; leave it out')
    const unknown = [...options.nameTemplate.matchAll(/\{([^{}]*)\}/g)].find(
      ([, word = '']) => !PLACEHOLDERS.includes(word),
    )
    if (unknown)
      blame('nameTemplate', `${unknown[0]} is not known; use ${PLACEHOLDERS.map(word => `{${word}}`).join(', ')}`)
    if (options.names && options.nameTemplate !== NAME_TEMPLATE)
      blame('names', 'takes the place of nameTemplate; give one of the two')
    if (options.names && options.ranges?.some(range => nameOf(range) !== undefined))
      blame('names', 'names the parts that entries of ranges name already; give one of the two')
  })
  .meta(
    alternatives(
      { required: ['ranges'], values: { mode: ['ranges'] }, without: ['every', 'parts', 'maxBytes', 'pages'] },
      { required: ['mode', 'every'], values: { mode: ['every'] }, without: ['ranges', 'parts', 'maxBytes'] },
      { required: ['mode', 'parts'], values: { mode: ['count'] }, without: ['ranges', 'every', 'maxBytes'] },
      { required: ['mode', 'maxBytes'], values: { mode: ['size'] }, without: ['ranges', 'every', 'parts'] },
      {
        required: ['mode'],
        values: { mode: ['pages', 'bookmarks', 'blank'] },
        without: ['ranges', 'every', 'parts', 'maxBytes'],
      },
    ),
  )

type SplitOptions = z.output<typeof optionsSchema>

export const splitPdf = defineTool({
  id: 'split-pdf',
  title: 'Split a PDF',
  summary:
    'Cuts a PDF into several, by ranges, page counts, bookmarks, file size or blank pages, and answers a ZIP of ' +
    'them; no part holds anything of the others.',
  files: 'one',
  suffix: 'parts',
  responses: 'application/zip',
  warnings: ['part-over-size'],
  options: optionsSchema,
  examples: [
    {
      title: 'Two parts',
      options: {
        mode: 'ranges',
        ranges: [
          { start: 1, end: 2 },
          { start: 3, end: 5 },
        ],
      },
    },
    { title: 'The first page, and the rest', options: { ranges: ['first', '2-'] } },
    { title: 'Every two pages', options: { mode: 'every', every: 2, nameTemplate: '{name}-pages-{range}' } },
    { title: 'A stack of scans with blank sheets between them', options: { mode: 'blank' } },
    {
      title: 'Parts of at most 5 MB, with a list of them',
      options: { mode: 'size', maxBytes: 5_000_000, manifest: true },
    },
  ],
  async run([input], options, context): Promise<ToolOutput> {
    if (!input) throw new RangeError('split-pdf without a file') // The service requires one file.
    const document = prepareToSplit(input.document)
    const cuts = await findCuts(document, options, context)
    const names = nameParts({ name: input.name, document }, cuts, options)
    return { kind: 'zip', parts: makeParts(document, cuts, names, options), manifest: options.manifest }
  },
})

async function findCuts(document: PdfDocument, options: SplitOptions, context: ToolContext): Promise<Cut[]> {
  const { pageCount } = document
  const { mode, level } = options
  if (mode === 'ranges') return resolveRanges(requireOption(options.ranges), pageCount, context)
  const chosen = resolvePages(options.pages ?? 'all', pageCount, 'options.pages')
  assertPageTotal(chosen.length, 'options.pages', context)
  switch (mode) {
    case 'every':
      return splitEvery(chosen, requireOption(options.every))
    case 'pages':
      return splitEvery(chosen, 1)
    case 'count': {
      const parts = requireOption(options.parts)
      if (parts > chosen.length)
        throw problem(
          'options.parts',
          `${parts} parts can not be made of ${chosen.length} pages; use 2 to ${chosen.length}`,
        )
      return splitIntoParts(chosen, parts)
    }
    case 'bookmarks': {
      const cuts = splitAtBookmarks(document, chosen, level)
      if (cuts.length === 0)
        throw problem(
          'options.mode',
          `"bookmarks" needs bookmarks that lead to pages, down to level ${level}; this document has none`,
        )
      const partStarts = options.includeFrontMatter ? cuts : cuts.filter(cut => cut.title !== undefined)
      if (partStarts.length === 0)
        throw problem(
          'options.includeFrontMatter',
          'false leaves no part: all chosen pages come before the first bookmark',
        )
      return partStarts
    }
    case 'size':
      return cutToSize(document, chosen, options, context)
    case 'blank': {
      const cuts = splitAtBlanks(
        chosen,
        await findBlankPages(document, chosen, options.blankThreshold),
        options.keepBlank,
      )
      if (cuts.length === 0)
        throw problem(
          'options.mode',
          `"blank" leaves no part: all ${chosen.length} chosen pages are blank; set keepBlank to true or choose others`,
        )
      return cuts
    }
  }
}

function resolveRanges(ranges: Range[], pageCount: number, context: ToolContext): Cut[] {
  const cuts = ranges.map((range, index) => ({ indexes: resolveRange(range, pageCount, `options.ranges[${index}]`) }))
  assertPageTotal(
    cuts.reduce((sum, cut) => sum + cut.indexes.length, 0),
    'options.ranges',
    context,
  )
  return cuts
}

function resolveRange(range: Range, pageCount: number, param: string): number[] {
  if (typeof range === 'string' || Array.isArray(range)) return resolvePages(range, pageCount, param)
  const start = resolvePage(range.start, pageCount, `${param}.start`)
  const end = resolvePage(range.end, pageCount, `${param}.end`)
  const step = start <= end ? 1 : -1
  return Array.from({ length: Math.abs(end - start) + 1 }, (_, index) => start + step * index)
}

function assertPageTotal(total: number, param: string, { limits }: ToolContext): void {
  if (total > limits.maxPagesOut)
    throw problem(param, `the parts have ${total} pages together; at most ${limits.maxPagesOut} are allowed`)
}

function cutToSize(document: PdfDocument, chosen: number[], options: SplitOptions, context: ToolContext): Cut[] {
  const maxBytes = requireOption(options.maxBytes)
  const likelyPages = Math.floor((maxBytes * document.pageCount) / document.source.bytes.length)
  const sequence = new PartSequence(document, chosen, options.bookmarks)
  const cuts = splitBySize(chosen, maxBytes, likelyPages, (start, count) => {
    const part = sequence.open(start, count)
    const bytes = saveDocument(part)
    for (const warning of part.warnings) context.warn(warning)
    return bytes
  })
  if (cuts.some(cut => (cut.bytes?.length ?? 0) > maxBytes)) context.warn('part-over-size')
  return cuts
}

function nameParts(
  { name, document }: ToolInput,
  cuts: Cut[],
  { names, nameTemplate, ranges }: SplitOptions,
): string[] {
  if (names && names.length !== cuts.length)
    throw problem(
      'options.names',
      `has ${names.length} entries, but there are ${cuts.length} parts; give exactly one name a part`,
    )
  if (names) return names.map(partName)
  const pad = (number: number, largest: number): string => String(number).padStart(String(largest).length, '0')
  return cuts.map(({ indexes, title }, index) => {
    const rangeName = nameOf(ranges?.[index])
    const page = (at: number): string => pad((indexes.at(at) ?? 0) + 1, document.pageCount)
    const words: Record<string, string> = {
      name,
      index: pad(index + 1, cuts.length),
      start: page(0),
      end: page(-1),
      range: writeRange(indexes, pageIndex => pad(pageIndex + 1, document.pageCount)),
      title: title ?? 'Front matter',
    }
    return partName(rangeName ?? nameTemplate.replace(/\{([^{}]*)\}/g, (_, word: string) => words[word] ?? ''))
  })
}

/** Returns page ranges such as `1-3,7` in the order of the pages. */
function writeRange(indexes: number[], write: (pageIndex: number) => string): string {
  const runs: [number, number][] = []
  let step = 0
  for (const index of indexes) {
    const run = runs.at(-1)
    const isNext = run !== undefined && Math.abs(index - run[1]) === 1 && (run[0] === run[1] || index - run[1] === step)
    if (isNext) step = index - run[1]
    if (isNext) run[1] = index
    else runs.push([index, index])
  }
  return runs.map(([from, to]) => (from === to ? write(from) : `${write(from)}-${write(to)}`)).join(',')
}

/** Creates the parts one after another, so that only one is open at a time. */
function* makeParts(
  document: PdfDocument,
  cuts: Cut[],
  names: string[],
  { mode, bookmarks }: SplitOptions,
): Generator<ToolPart> {
  const sequence = new PartSequence(
    document,
    cuts.flatMap(cut => cut.indexes),
    bookmarks,
  )
  let start = 0
  for (const [index, { indexes, title, bytes }] of cuts.entries()) {
    const facts = {
      name: names[index] ?? '',
      pages: indexes.map(pageIndex => pageIndex + 1),
      ...(title === undefined ? {} : { title }),
    }
    if (bytes) yield { ...facts, bytes }
    // Ranges may be in any order, so they cannot use the sequence.
    else
      yield {
        ...facts,
        document: mode === 'ranges' ? openPart(document, indexes, bookmarks) : sequence.open(start, indexes.length),
      }
    start += indexes.length
  }
}

function nameOf(range: Range | undefined): string | undefined {
  return typeof range === 'object' && !Array.isArray(range) ? range.name : undefined
}

/** Returns an option that its mode requires. */
function requireOption<Value>(value: Value | undefined): Value {
  // The schema requires the option for this mode.
  if (value === undefined) throw new RangeError('an option of the mode is missing')
  return value
}

function problem(param: string, message: string): EngineError {
  return new EngineError('bad-options', `${param}: ${message}`, { param })
}
