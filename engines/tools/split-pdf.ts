import * as z from 'zod'
import { boundedText } from '../options/bounded-text'
import { EngineError } from '../errors'
import {
  openPart,
  PartSequence,
  prepareToSplit,
  splitAtBlanks,
  splitAtBookmarks,
  splitBySize,
  splitEvery,
  splitIntoParts,
} from '../pdf/page'
import type { Cut } from '../pdf/page'
import type { PdfDocument } from '../pdf/document'
import { saveDocument } from '../pdf/save'
import { findBlankPages } from '../pdf/render'
import { alternatives } from '../options/alternatives'
import { BLANK_THRESHOLD, blankThresholdOption, outputNameOption, pagesOption } from '../options/schemas'
import { resolvePage, resolvePages } from '../options/selectors'
import { defineTool } from './define'
import type { ToolContext, ToolInput, ToolOutput, ToolPart } from './define'
import { partName } from '../file-name'
import { inForm, onlyIf } from '../options/form-hints'
import { fillTemplate, padNumber, templateProblem } from '../options/name-template'
import { blameIn } from '../options/checks'

const rangeSchema = z.strictObject({
  start: z
    .number()
    .int()
    .min(1)
    .describe('First page of the part, from 1.')
    .meta(inForm({ label: 'First page' })),
  end: z
    .number()
    .int()
    .min(1)
    .describe('Last page of the part. If `end` is smaller than `start`, the part has the pages in reverse order.')
    .meta(inForm({ label: 'Last page' })),
  name: boundedText(120)
    .min(1)
    .optional()
    .describe('File name of the part. Default: from `nameTemplate`.')
    .meta(inForm({ label: 'File name' })),
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
        'How to split. `ranges`: one part per entry of `ranges`. `every`: parts with the same number of pages, which ' +
          'the parameter `every` sets. `pages`: one part per page. `count`: as many parts as `parts` says, with page ' +
          'counts that differ by at most 1. `bookmarks`: before each page with a bookmark. `size`: before a part ' +
          'gets larger than `maxBytes`. `blank`: at blank pages.',
      )
      .meta(
        inForm({
          label: 'Split',
          choices: {
            ranges: 'By page ranges',
            every: 'Every N pages',
            pages: 'One part per page',
            count: 'Into equal parts',
            bookmarks: 'At bookmarks',
            size: 'By file size',
            blank: 'At blank pages',
          },
        }),
      ),
    ranges: z
      .array(z.union([rangeSchema.meta(inForm({ title: 'First and last page' })), pagesOption('Pages of the part.')]))
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'Required for mode `ranges`: one entry per part, either `{start, end}` or a page selector such as ' +
          '`"1-3,7"`. Parts can overlap and omit pages.',
      )
      .meta(inForm({ label: 'Page ranges', appliesIf: [{ mode: ['ranges'] }], isRequired: true })),
    every: z
      .number()
      .int()
      .min(1)
      .max(20_000)
      .optional()
      .describe('Required for mode `every`: pages per part. The last part may have fewer.')
      .meta(inForm({ label: 'Pages per part', appliesIf: [{ mode: ['every'] }], isRequired: true })),
    parts: z
      .number()
      .int()
      .min(2)
      .max(20_000)
      .optional()
      .describe(
        'Required for mode `count`: number of parts, at most the number of pages. If the pages ' +
          "don't divide equally, the first parts get one more page each.",
      )
      .meta(inForm({ label: 'Number of parts', appliesIf: [{ mode: ['count'] }], isRequired: true })),
    level: z
      .number()
      .int()
      .min(1)
      .max(6)
      .default(1)
      .describe('For mode `bookmarks`: splits at bookmarks down to this level. Level 1 is the top level.')
      .meta(inForm({ label: 'Bookmark level', appliesIf: [{ mode: ['bookmarks'] }] })),
    includeFrontMatter: z
      .boolean()
      .default(true)
      .describe('For mode `bookmarks`: if `true`, pages before the first bookmark become a part.')
      .meta(inForm({ label: 'Keep pages before the first bookmark', appliesIf: [{ mode: ['bookmarks'] }] })),
    maxBytes: z
      .number()
      .int()
      .min(50_000)
      .max(2_000_000_000)
      .optional()
      .describe(
        'Required for mode `size`: maximum file size of a part in bytes. A single larger page becomes its own ' +
          'part, with the warning `part-over-size`.',
      )
      .meta(inForm({ label: 'Largest part in bytes', appliesIf: [{ mode: ['size'] }], isRequired: true })),
    blankThreshold: blankThresholdOption.meta(onlyIf({ mode: ['blank'] })),
    keepBlank: z
      .boolean()
      .default(false)
      .describe(
        'For mode `blank`: if `true`, blank pages stay at the end of the previous part. If `false`, Sheaf removes ' +
          'blank pages.',
      )
      .meta(inForm({ label: 'Keep blank pages', appliesIf: [{ mode: ['blank'] }] })),
    pages: pagesOption('For all modes except `ranges`: pages to split, in this order. Default: all.')
      .optional()
      .meta(onlyIf({ mode: { not: ['ranges'] } })),
    nameTemplate: boundedText(200)
      .min(1)
      .default(NAME_TEMPLATE)
      .describe(
        'File names of the parts. `{name}` is the name of the input, and `{index}` the number of the part from 1. ' +
          '`{start}` and `{end}` are the first and last page number of the part. `{range}` lists its pages, such as ' +
          '`3-5`. With mode `bookmarks`, `{title}` is the title of the bookmark. Numbers are padded with zeros so ' +
          'that the names sort.',
      )
      .meta(inForm({ label: 'File name template', appliesIf: [{ names: 'unset' }] })),
    names: z
      .array(boundedText(120).min(1).describe("File name of the part. The extension is added if it's missing."))
      .min(1)
      .max(20_000)
      .optional()
      .describe('File names in place of `nameTemplate`, one per part, in order.')
      .meta(inForm({ label: 'File names' })),
    bookmarks: z
      .enum(['keep', 'none'])
      .default('keep')
      .describe('`keep`: each part keeps the bookmarks that point to its pages. `none` removes all bookmarks.')
      .meta(inForm({ choices: { keep: 'Keep', none: 'Remove' } })),
    manifest: z
      .boolean()
      .default(false)
      .describe(
        'If `true`, adds `manifest.json`, an array with `file`, `pages`, `title`, `bytes` and `sha256` of every ' +
          'part. `pages` are page numbers of the input. `title` is the title of the bookmark, or null.',
      )
      .meta(inForm({ label: 'Add a manifest' })),
    outputName: outputNameOption('report-parts.zip'),
  })
  .superRefine((options, context) => {
    const blame = blameIn(context)
    for (const [mode, option, isGiven] of [
      ['ranges', 'ranges', options.ranges !== undefined],
      ['every', 'every', options.every !== undefined],
      ['count', 'parts', options.parts !== undefined],
      ['size', 'maxBytes', options.maxBytes !== undefined],
    ] as const) {
      if (mode === options.mode && !isGiven) blame(option, `is required for mode "${mode}".`)
      if (mode !== options.mode && isGiven)
        blame(option, `only applies to mode "${mode}". The mode is "${options.mode}".`)
    }
    if (options.mode !== 'bookmarks') {
      const message = `only applies to mode "bookmarks". The mode is "${options.mode}".`
      if (options.level !== 1) blame('level', message)
      if (!options.includeFrontMatter) blame('includeFrontMatter', message)
      if (options.nameTemplate.includes('{title}')) blame('nameTemplate', `{title} ${message}`)
    }
    if (options.mode !== 'blank') {
      const message = `only applies to mode "blank". The mode is "${options.mode}".`
      if (options.blankThreshold !== BLANK_THRESHOLD) blame('blankThreshold', message)
      if (options.keepBlank) blame('keepBlank', message)
    }
    if (options.mode === 'ranges' && options.pages !== undefined)
      blame('pages', 'can\'t be combined with mode "ranges". Each entry of ranges has its own pages.')
    const problem = templateProblem(options.nameTemplate, PLACEHOLDERS)
    if (problem) blame('nameTemplate', problem)
    if (options.names && options.nameTemplate !== NAME_TEMPLATE)
      blame('names', "can't be combined with nameTemplate. Send only one of them.")
    if (options.names && options.ranges?.some(range => nameOf(range) !== undefined))
      blame('names', "can't be combined with names in the entries of ranges. Send only one of them.")
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
    'Splits a PDF into several, by ranges, page counts, bookmarks, file size or blank pages. Returns a ZIP. Each ' +
    'part contains only the content of its own pages.',
  files: 'one',
  suffix: 'parts',
  group: 'Organize',
  tagline: 'By ranges, bookmarks, file size or blank pages.',
  responses: 'application/zip',
  warnings: ['part-over-size', 'text-not-drawn'],
  sections: [
    {
      heading: 'Size of the response',
      paragraphs: [
        'Each part is a complete file. An image or font that pages of several parts use is in each of these parts. So ' +
          'the parts together can be much larger than your file.',
        'The size limit of a response applies to the whole ZIP. Beyond the limit, the request returns 422 and costs ' +
          'nothing. Then split into fewer parts, or send several requests with different `pages`. ' +
          '[Limits](/docs/limits) has the value.',
      ],
    },
  ],
  step: { result: () => 'pdfs', addsNothing: true },
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
    { title: 'Split off the first page', options: { ranges: ['first', '2-'] } },
    {
      title: 'Split into parts of two pages',
      options: { mode: 'every', every: 2, nameTemplate: '{name}-pages-{range}' },
    },
    {
      title: 'Parts of up to 5,000,000 bytes, with a manifest',
      options: { mode: 'size', maxBytes: 5_000_000, manifest: true },
    },
  ],
  async run([input], options, context): Promise<ToolOutput> {
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
          `must be at most the number of pages. Got ${parts} parts for ${chosen.length} pages. Use 2 to ` +
            `${chosen.length}.`,
        )
      return splitIntoParts(chosen, parts)
    }
    case 'bookmarks': {
      const cuts = splitAtBookmarks(document, chosen, level)
      if (cuts.length === 0)
        throw problem(
          'options.mode',
          `"bookmarks" requires bookmarks that point to pages, down to level ${level}. This document has none.`,
        )
      const partStarts = options.includeFrontMatter ? cuts : cuts.filter(cut => cut.title !== undefined)
      if (partStarts.length === 0)
        throw problem(
          'options.includeFrontMatter',
          'must be true. All selected pages are before the first bookmark, so no part would remain.',
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
          `"blank" leaves no part, because all ${chosen.length} selected pages are blank. Set keepBlank to ` +
            'true or select other pages.',
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
    throw problem(param, `the parts must have at most ${limits.maxPagesOut} pages together. Got ${total}.`)
}

function cutToSize(document: PdfDocument, chosen: number[], options: SplitOptions, context: ToolContext): Cut[] {
  const maxBytes = requireOption(options.maxBytes)
  const likelyPages = Math.floor((maxBytes * document.pageCount) / document.source.bytes.length)
  const sequence = new PartSequence(document, chosen, options.bookmarks)
  const cuts = splitBySize(chosen, maxBytes, likelyPages, (start, count) => {
    const part = sequence.open(start, count)
    const file = saveDocument(part)
    for (const warning of part.warnings) context.warn(warning)
    return file
  })
  if (cuts.some(cut => (cut.file?.byteLength ?? 0) > maxBytes)) context.warn('part-over-size')
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
      `must have exactly one name per part. Got ${names.length} names for ${cuts.length} parts.`,
    )
  if (names) return names.map(partName)
  return cuts.map(({ indexes, title }, index) => {
    const rangeName = nameOf(ranges?.[index])
    const page = (at: number): string => padNumber((indexes.at(at) ?? 0) + 1, document.pageCount)
    const words: Record<string, string> = {
      name,
      index: padNumber(index + 1, cuts.length),
      start: page(0),
      end: page(-1),
      range: writeRange(indexes, pageIndex => padNumber(pageIndex + 1, document.pageCount)),
      title: title ?? 'Front matter',
    }
    return partName(rangeName ?? fillTemplate(nameTemplate, words))
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
  for (const [index, { indexes, title, file }] of cuts.entries()) {
    const facts = {
      name: names[index] ?? '',
      pages: indexes.map(pageIndex => pageIndex + 1),
      ...(title === undefined ? {} : { title }),
    }
    if (file) yield { ...facts, chunks: file.chunks }
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
  return new EngineError('options_invalid', `${param}: ${message}`, { param })
}
