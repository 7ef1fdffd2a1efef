import * as z from 'zod'
import { EngineError } from '../errors'
import { drawFields, drawMissingAppearances } from '../pdf/forms'
import {
  appendDocuments,
  dropForms,
  dropMetadata,
  fitPages,
  hasForm,
  insertBlankPages,
  interleave,
  nestOutline,
  selectPages,
} from '../pdf/page'
import { dropAttachments, readOutline, writeOutline } from '../pdf/document'
import type { PdfDocument } from '../pdf/document'
import { flatten } from '../pdf/annotations'
import { measureFrame } from '../pdf/geometry'
import type { Share } from '../pdf/page'
import { applyMetadata, metadataShape } from '../pdf/metadata'
import { reopenDocument } from '../pdf/open'
import { readTextLine } from '../pdf/syntax'
import * as Name from '../pdf/names'
import { PAGE_SIZE_HELP, pageSizeOption, readPageSize } from '../options/page-size-option'
import { outputNameOption, pagesOption } from '../options/schemas'
import type { PageSelector } from '../options/selectors'
import { resolvePages } from '../options/selectors'
import { defineTool } from './define'
import type { ToolInput, ToolOutput } from './define'
import { inForm } from '../options/form-hints'
import { blameIn } from '../options/checks'

const optionsSchema = z
  .strictObject({
    order: z
      .enum(['given', 'name', 'title'])
      .default('given')
      .describe(
        'Order of the files. `given` keeps the order of the request. `name` sorts by file name, ignoring ' +
          'case, with numbers by value (`page 2` before `page 10`). `title` sorts by document title in the same ' +
          'way, and uses the file name if there is no title. Equal names keep the order of the request.',
      )
      .meta(
        inForm({
          label: 'Order of the files',
          choices: { given: 'As chosen', name: 'By file name', title: 'By document title' },
        }),
      ),
    pages: z
      .array(z.union([pagesOption('Pages of the file, in this order.'), z.null()]))
      .min(2)
      .max(1000)
      .optional()
      .describe(
        'Pages of each file: one selector per file, in the order of the request. `null` takes all pages of a ' +
          'file. Default: all pages of all files.',
      )
      .meta(inForm({ label: 'Pages of each file' })),
    mode: z
      .enum(['concat', 'interleave', 'interleave-reverse'])
      .default('concat')
      .describe(
        'How to combine pages. `concat` appends one file after the other. `interleave` takes the first page of ' +
          'every file, then the second of every file, and so on. Remaining pages of longer files follow. ' +
          '`interleave-reverse` does the same, but first reverses all files except the first one. Use it if you ' +
          'scanned the back sides in reverse order, from the last sheet to the first.',
      )
      .meta(
        inForm({
          label: 'How to combine',
          choices: {
            concat: 'One after the other',
            interleave: 'Alternate pages',
            'interleave-reverse': 'Alternate pages, later files reversed',
          },
        }),
      ),
    blankBetween: z
      .enum(['none', 'always', 'odd'])
      .default('none')
      .describe(
        'With mode `concat`: blank pages between files. `always` adds a blank page after every file except the ' +
          'last. `odd` adds a blank page after files with an odd number of pages. Every file then starts on a front ' +
          'side in double-sided printing. A blank page has the size of the previous page.',
      )
      .meta(
        inForm({
          label: 'Blank pages between files',
          choices: { none: 'None', always: 'Always', odd: 'After odd page counts' },
          appliesIf: [{ mode: ['concat'] }],
        }),
      ),
    bookmarks: z
      .enum(['keep', 'per-file', 'none'])
      .default('keep')
      .describe(
        '`keep` appends the bookmarks of all files. `per-file` adds one bookmark per file, which points to ' +
          'its first page and contains its bookmarks. `none` removes all bookmarks.',
      )
      .meta(inForm({ choices: { keep: 'Keep all', 'per-file': 'One per file', none: 'None' } })),
    bookmarkLabel: z
      .enum(['filename', 'title'])
      .default('filename')
      .describe(
        'With bookmarks `per-file`: titles of these bookmarks. `filename` is the file name without extension. ' +
          '`title` is the document title, or the file name if there is no title.',
      )
      .meta(
        inForm({
          label: 'Bookmark titles',
          choices: { filename: 'File name', title: 'Document title' },
          appliesIf: [{ bookmarks: ['per-file'] }],
        }),
      ),
    formFields: z
      .enum(['rename', 'share', 'flatten', 'drop'])
      .default('rename')
      .describe(
        'Form fields with the same name in several files. `rename` renames the later field (`name_2`), so that ' +
          'both keep their values. `share` makes them one field with the value of the first file that has a value. ' +
          'Signature fields and fields of different kinds are still renamed. `flatten` draws the fields of all ' +
          'files into the pages and removes the forms. It can cause the warnings `characters-missing` and ' +
          '`text-cut`. `drop` removes all fields without drawing them.',
      )
      .meta(
        inForm({
          label: 'Fields with the same name',
          choices: {
            rename: 'Rename the later field',
            share: 'Share one value',
            flatten: 'Draw all fields into the pages',
            drop: 'Remove all fields',
          },
        }),
      ),
    pageSize: pageSizeOption({ keep: 'Keep sizes', first: 'Size of the first page' })
      .default('keep')
      .describe(
        'Page size of the result. `keep` keeps the page sizes. Otherwise Sheaf scales all pages to fit one size ' +
          'and centers them. `first` is the size of the first page of the result. Other values: ' +
          `${PAGE_SIZE_HELP}. Sheaf rotates the size to match landscape and portrait pages.`,
      ),
    attachments: z
      .enum(['keep', 'drop'])
      .default('keep')
      .describe(
        '`keep` keeps the files attached to the documents. If names clash, the later file gets a number. `drop` ' +
          'removes attached files.',
      )
      .meta(inForm({ label: 'Attached files', choices: { keep: 'Keep', drop: 'Remove' } })),
    metadata: z
      .union([
        z.enum(['first', 'none']).meta(inForm({ choices: { first: 'From the first file', none: 'None' } })),
        z.strictObject(metadataShape).meta(inForm({ title: 'From the first file, with changes' })),
      ])
      .default('first')
      .describe(
        'Properties of the result, such as title and author. `first` takes them from the first file of the ' +
          'result. `none` removes them. Send an object to change the properties of the first file, as in ' +
          'edit-metadata.',
      )
      .meta(inForm({ label: 'Document properties' })),
    outputName: outputNameOption('report-merged.pdf'),
  })
  .superRefine(({ mode, blankBetween, bookmarks, bookmarkLabel }, context) => {
    const blame = blameIn(context)
    if (mode !== 'concat' && blankBetween !== 'none')
      blame('blankBetween', `only applies to mode "concat". The mode is "${mode}".`)
    if (bookmarks !== 'per-file' && bookmarkLabel !== 'filename')
      blame('bookmarkLabel', `only applies to bookmarks "per-file". bookmarks is "${bookmarks}".`)
  })

type MergeOptions = z.output<typeof optionsSchema>

export const mergePdf = defineTool({
  id: 'merge-pdf',
  title: 'Merge PDFs',
  summary:
    'Merges two or more PDFs, or selected pages of them. Keeps bookmarks, links, form fields, attachments, ' +
    'layers and tags.',
  files: 'many',
  suffix: 'merged',
  group: 'Organize',
  tagline: 'Join files, or selected pages of them.',
  responses: 'application/pdf',
  warnings: ['tags-dropped', 'characters-missing', 'field-font-replaced', 'text-cut'],
  step: { result: () => 'pdf' },
  options: optionsSchema,
  sections: [
    {
      heading: 'Fields, fonts and scripts',
      paragraphs: [
        'If two forms have different fonts with the same name, the font of the later file gets a new name. The ' +
          'fields and text notes of that file use the new name.',
        'If `formFields` renames a field, Sheaf updates the scripts and actions of the same file. For example, ' +
          '`getField("total")` becomes `getField("total_2")`. A string in a script changes if it is the full name ' +
          'of the field. A string also changes if it begins with the name and a dot. Names that a script puts ' +
          'together from parts, such as `"row" + i`, stay as they are.',
        'All scripts of a PDF share their functions and variables. If two files declare the same name in document ' +
          'scripts, the name changes in all scripts of the later file. If two document scripts have the same name ' +
          'and text, Sheaf keeps one of them.',
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
        'If an earlier file has a layer of the same name, the later layer becomes `name (2)`. Hidden layers stay ' +
          'hidden.',
      ],
    },
  ],
  examples: [
    { title: 'Merge files in the order of the request', options: {} },
    {
      title: 'Merge the first page of one file with another file, one bookmark per file',
      options: { pages: ['1', null], bookmarks: 'per-file' },
    },
    { title: 'Interleave scanned front and back sides', options: { mode: 'interleave-reverse' } },
    {
      title: 'Sort by file name, scale to A4 and set a title',
      options: { order: 'name', pageSize: 'A4', metadata: { title: 'Application', author: 'Ada Lovelace' } },
    },
    { title: 'Merge and flatten forms', options: { formFields: 'flatten' } },
    { title: 'Add blank pages for double-sided printing', options: { blankBetween: 'odd' } },
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
        'too_large',
        `The merged document would have more than ${limits.maxPagesOut.toLocaleString('en')} pages. Merge ` +
          'fewer pages at once.',
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
 * Returns the files in the order of the result. Throws EngineError `options_invalid` if the number of page selectors
 * differs from the number of files.
 */
function orderFiles(inputs: ToolInput[], { pages, order, bookmarkLabel }: MergeOptions): OrderedFile[] {
  if (pages && pages.length !== inputs.length) {
    throw new EngineError(
      'options_invalid',
      `options.pages: must have one entry per file. Got ${pages.length} entries for ${inputs.length} files. ` +
        'Use null for all pages of a file.',
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
      await drawMissingAppearances(document)
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
