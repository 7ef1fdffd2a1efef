import { z } from 'zod'
import { EngineError } from '../errors'
import { drawFields, drawMissingAppearances } from '../forms/missing-appearances'
import { dropForms, dropMetadata, hasForm, interleave, nestOutline } from '../pdf-core/merge/arrange-merged'
import { dropAttachments } from '../pdf-core/structure/attachments'
import { insertBlankPages } from '../pdf-core/pages/blank-pages'
import { selectPages } from '../pdf-core/pages/copy-pages'
import type { PdfDocument } from '../pdf-core/document/document'
import { fitPages } from '../pdf-core/pages/fit-pages'
import { flatten } from '../pdf-core/annotations/flatten'
import { measureFrame } from '../pdf-core/geometry/frame'
import { appendDocuments } from '../pdf-core/merge/merge'
import type { Share } from '../pdf-core/merge/merge'
import { readOutline, writeOutline } from '../pdf-core/structure/outline'
import { applyMetadata, metadataShape } from '../pdf-core/metadata/metadata-options'
import { PAGE_SIZE_HELP, pageSizeOption, readPageSize } from '../options/page-size-option'
import { reopenDocument } from '../pdf-core/pages/reopen'
import { outputNameOption, pagesOption } from '../options/schemas'
import type { PageSelector } from '../options/selectors'
import { resolvePages } from '../options/selectors'
import { readTextLine } from '../pdf-core/syntax/text-string'
import { defineTool } from './define'
import type { ToolInput, ToolOutput } from './define'
import * as Name from '../pdf-core/syntax/names'

const optionsSchema = z
  .strictObject({
    order: z
      .enum(['given', 'name', 'title'])
      .default('given')
      .describe(
        '`given` joins the files in the order sent; `name` by the names they were sent with, numbers in them by ' +
          'their value (`page 2` before `page 10`), without regard to case; `title` in the same way by their titles, ' +
          'files without title by their names. Equal ones stay in the order sent.',
      ),
    pages: z
      .array(z.union([pagesOption('Pages of the file, in this order.'), z.null()]))
      .min(2)
      .max(1000)
      .optional()
      .describe(
        'The pages to take of each file: one selector a file, in the order sent, null for all of its pages. All ' +
          'pages of all files when omitted.',
      ),
    mode: z
      .enum(['concat', 'interleave', 'interleave-reverse'])
      .default('concat')
      .describe(
        '`concat` puts one file behind the other. `interleave` takes the first page of every file, then the second ' +
          'of every file and so on; longer files end alone. `interleave-reverse` does so with all files but the ' +
          'first back to front, as for a stack whose backs were scanned from its end.',
      ),
    blankBetween: z
      .enum(['none', 'always', 'odd'])
      .default('none')
      .describe(
        'Mode `concat`: puts an empty page, as large as the page before it, behind every file but the last ' +
          '(`always`), or behind those with an odd number of pages, so that every file begins on a front side when ' +
          'printed on both (`odd`).',
      ),
    bookmarks: z
      .enum(['keep', 'per-file', 'none'])
      .default('keep')
      .describe(
        '`keep` puts the bookmarks of all files one behind the other; `per-file` makes one bookmark a file, which ' +
          'leads to its first page and holds its own; `none` leaves them out.',
      ),
    bookmarkLabel: z
      .enum(['filename', 'title'])
      .default('filename')
      .describe(
        'With bookmarks `per-file`: whether these are called after the name of the file, without extension, or ' +
          'after its title; files without title have their name.',
      ),
    formFields: z
      .enum(['rename', 'share', 'flatten', 'drop'])
      .default('rename')
      .describe(
        '`rename` gives a form field whose name an earlier file has another one (`name_2`), so that both keep ' +
          'their values. `share` makes the two one field that shows the same value in all places, that of the first ' +
          'file that has one; those of different kinds, and signatures, are renamed. `flatten` draws the fields of ' +
          'all files into their pages and removes the forms, with the warnings `characters-missing` and `text-cut` ' +
          'of flatten-pdf. `drop` removes them undrawn.',
      ),
    pageSize: pageSizeOption(['keep', 'first'])
      .default('keep')
      .describe(
        `\`keep\` leaves pages as large as they are. Otherwise all of them become one size, scaled to fit and in ` +
          `the middle: \`first\` (that of the first page of the result), ${PAGE_SIZE_HELP}. Pages that are wider ` +
          'than high take the size lying, all others upright.',
      ),
    attachments: z
      .enum(['keep', 'drop'])
      .default('keep')
      .describe(
        'Whether the files attached to the documents are kept; where names clash, the later one gets a number.',
      ),
    metadata: z
      .union([z.enum(['first', 'none']), z.strictObject(metadataShape)])
      .default('first')
      .describe(
        '`first` takes title, author and the like of the first file of the result, `none` leaves them out; an ' +
          'object takes those of the first file and changes them as edit-metadata does.',
      ),
    outputName: outputNameOption,
  })
  .superRefine(({ mode, blankBetween, bookmarks, bookmarkLabel }, context) => {
    const blame = (option: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [option], message })
    if (mode !== 'concat' && blankBetween !== 'none')
      blame('blankBetween', `belongs to mode "concat"; the mode is "${mode}"`)
    if (bookmarks !== 'per-file' && bookmarkLabel !== 'filename')
      blame('bookmarkLabel', `belongs to bookmarks "per-file"; bookmarks is "${bookmarks}"`)
  })

type MergeOptions = z.output<typeof optionsSchema>

export const mergePdf = defineTool({
  id: 'merge-pdf',
  title: 'Merge PDFs',
  summary:
    'Joins two or more PDFs, whole or some of their pages; bookmarks, links, form fields, attachments, layers and ' +
    'tags of all of them are kept.',
  files: 'many',
  suffix: 'merged',
  responses: 'application/pdf',
  warnings: ['tags-dropped', 'characters-missing', 'text-cut'],
  options: optionsSchema,
  sections: [
    {
      heading: 'Fields, fonts and scripts',
      paragraphs: [
        'If two files use one font name for different fonts, the font of the later file gets a new name. The ' +
          'fields and text notes of that file use the new name.',
        'If `formFields` renames a field, the scripts and actions of the same file follow. For example, ' +
          '`getField("total")` becomes `getField("total_2")`. A script string changes if it equals the full name of ' +
          'the field, or if it starts with that name and a dot. Names that a script puts together from parts, such ' +
          'as `"row" + i`, stay as they are.',
        'All scripts of a PDF share their functions and variables. If two files declare the same name in document ' +
          'scripts, the later file gets a new name in all its scripts. Document scripts with the same name and text ' +
          'are kept once.',
        'With `share`, a field keeps the calculation, validation and format scripts of the first file that has them.',
      ],
    },
    {
      heading: 'Tags and layers',
      paragraphs: [
        'Every tagged file keeps its language, structure types, attribute classes and element identifiers. Names ' +
          'that clash get a number.',
        'The result is marked as a tagged PDF only if all files are tagged. Otherwise the tags stay, but ' +
          '`/MarkInfo` says that they are incomplete.',
        'A layer whose name an earlier file has becomes `name (2)`. Hidden layers stay hidden.',
      ],
    },
  ],
  examples: [
    { title: 'Join the files in the order sent', options: {} },
    {
      title: 'The first page of one, all of the other, a bookmark for each',
      options: { pages: ['1', null], bookmarks: 'per-file' },
    },
    { title: 'Fronts and backs that were scanned one after the other', options: { mode: 'interleave-reverse' } },
    {
      title: 'Sorted by file name, all pages in A4, with a title',
      options: { order: 'name', pageSize: 'A4', metadata: { title: 'Application', author: 'Ada Lovelace' } },
    },
    { title: 'Filled-in forms that can no longer be changed', options: { formFields: 'flatten' } },
    { title: 'Ready for printing on both sides', options: { blankBetween: 'odd' } },
  ],
  async run(inputs, options, { limits }): Promise<ToolOutput> {
    const files = orderFiles(inputs, options)
    const [first, ...others] = await prepareForms(
      files.map(file => file.document),
      options,
    )
    if (!first) throw new RangeError('merge-pdf without files') // The service requires two or more files.
    const { shares, staleFields } = appendDocuments(first, others, options.formFields === 'share' ? 'share' : 'rename')
    await drawFields(first, staleFields)
    const chosen = choosePages(shares, files)
    const blanks = findBlanks(chosen, options)
    const total = chosen.reduce((sum, part) => sum + part.length, blanks.length)
    if (total > limits.maxPagesOut)
      throw new EngineError(
        'too-large',
        `The merged document would have more than ${limits.maxPagesOut.toLocaleString('en')} pages; merge fewer at ` +
          'once.',
      )
    if (options.formFields === 'drop') dropForms(first)
    if (options.bookmarks === 'none') writeOutline(first, [])
    // Bookmarks are added before pages are selected, so that bookmarks to removed pages are removed too.
    if (options.bookmarks === 'per-file')
      bookmarkFiles(
        first,
        shares.map(({ bookmarkCount }, at) => ({
          bookmarkCount,
          title: files[at]?.label ?? '',
          pageIndex: chosen[at]?.[0] ?? 0,
        })),
      )
    const order =
      options.mode === 'concat' ? chosen.flat() : interleave(options.mode === 'interleave' ? chosen : turnBacks(chosen))
    if (order.length !== first.pageCount || order.some((index, at) => index !== at)) selectPages(first, order)
    resizePages(first, options)
    const places = blanks.map(index => ({ before: index + 1, beside: index }))
    insertBlankPages(first, places, { count: 1, size: undefined, orientation: 'auto' })
    if (options.attachments === 'drop') dropAttachments(first)
    if (options.metadata === 'none') dropMetadata(first)
    else if (options.metadata !== 'first') applyMetadata(first, options.metadata)
    return { kind: 'pdf', document: first }
  },
})

/** An input file with its position in the result. */
interface OrderedFile {
  document: PdfDocument
  /** Title of its bookmark. */
  label: string
  selector: PageSelector
  /** Parameter of the page selector. */
  param: string
}

/** Natural sort order: numbers by value, case-insensitive. */
const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/**
 * Returns the files in the order of the result. Throws EngineError `bad-options` if the number of page selectors
 * differs from the number of files.
 */
function orderFiles(inputs: ToolInput[], { pages, order, bookmarkLabel }: MergeOptions): OrderedFile[] {
  if (pages && pages.length !== inputs.length) {
    throw new EngineError(
      'bad-options',
      `options.pages: has ${pages.length} entries, but there are ${inputs.length} files; give one a file, null for ` +
        'all of its pages',
      { param: 'options.pages' },
    )
  }
  const files = inputs.map((input, at) => {
    const title = order === 'title' || bookmarkLabel === 'title' ? titleOf(input.document) : undefined
    return {
      document: input.document,
      label: (bookmarkLabel === 'title' ? title : undefined) ?? input.name,
      selector: pages?.[at] ?? 'all',
      param: `options.pages[${at}]`,
      rank: (order === 'title' ? title : undefined) ?? input.name,
    }
  })
  return order === 'given' ? files : files.sort((one, other) => names.compare(one.rank, other.rank))
}

function titleOf(document: PdfDocument): string | undefined {
  return readTextLine(document.peek(document.peekDict(document.infoRef)?.get(Name.Title)))
}

/**
 * Returns the documents, with forms flattened if requested. Each document is flattened separately, because its form has
 * its own defaults.
 */
async function prepareForms(documents: PdfDocument[], { formFields }: MergeOptions): Promise<PdfDocument[]> {
  if (formFields !== 'flatten') return documents
  const flat: PdfDocument[] = []
  for (const document of documents) {
    const isForm = hasForm(document)
    if (isForm) {
      await drawMissingAppearances(document, new Set())
      flatten(document, { forms: true, annotations: false, links: false, view: 'screen', keep: new Set() })
    }
    flat.push(isForm && flat.length ? reopenDocument(document) : document)
  }
  return flat
}

/** Returns the selected pages of each file, as zero-based positions in the merged document. */
function choosePages(shares: Share[], files: OrderedFile[]): number[][] {
  let start = 0
  return shares.map(({ pageCount }, at) => {
    const { selector = 'all', param = '' } = files[at] ?? {}
    const shifted = resolvePages(selector, pageCount, param).map(index => start + index)
    start += pageCount
    return shifted
  })
}

function turnBacks([fronts = [], ...backs]: number[][]): number[][] {
  return [fronts, ...backs.map(pages => [...pages].reverse())]
}

/** Resizes pages. Called before blank pages are inserted, because these take the size of the previous page. */
function resizePages(document: PdfDocument, { pageSize }: MergeOptions): void {
  if (typeof pageSize === 'string' && pageSize.toLowerCase() === 'keep') return
  const [page] = document.pages
  const size = readPageSize(pageSize) ?? (page && measureFrame(document, page))
  if (size) fitPages(document, size)
}

/** Returns the positions in the result after which blank pages are inserted. */
function findBlanks(chosen: number[][], { blankBetween }: MergeOptions): number[] {
  const ends: number[] = []
  let end = -1
  for (const pages of chosen.slice(0, -1)) {
    end += pages.length
    if (blankBetween === 'always' || (blankBetween === 'odd' && pages.length % 2 === 1)) ends.push(end)
  }
  return ends
}

function bookmarkFiles(
  document: PdfDocument,
  files: { title: string; pageIndex: number; bookmarkCount: number }[],
): void {
  const { items } = readOutline(document)
  let start = 0
  const entries = files.map(({ title, pageIndex, bookmarkCount }) => {
    const fileItems = items.slice(start, start + bookmarkCount)
    start += bookmarkCount
    return { title, pageIndex, items: fileItems }
  })
  nestOutline(document, entries)
}
