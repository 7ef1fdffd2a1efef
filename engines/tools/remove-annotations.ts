import type { PDFDict } from 'pdf-lib'
import * as z from 'zod'
import { boundedText } from '../options/bounded-text'
import { authorOf, COMMENTS, removeAnnotations as removeFrom, removeForm, subtypeOf, urlsOf } from '../pdf/annotations'
import type { PdfDocument } from '../pdf/document'
import { outputNameOption, pagesOption, xfaOption } from '../options/schemas'
import { resolvePageSet } from '../options/selectors'
import { defineTool } from './define'
import { inForm } from '../options/form-hints'

const SUBTYPES = [
  ...COMMENTS,
  'Link',
  'Widget',
  'Movie',
  'Screen',
  'PrinterMark',
  'TrapNet',
  'Watermark',
  '3D',
  'RichMedia',
] as const

const subtype = z.enum(SUBTYPES)

export const removeAnnotations = defineTool({
  id: 'remove-annotations',
  title: 'Remove annotations',
  summary:
    'Removes comments, markup, stamps, links and attached files from pages, including their text and authors. ' +
    'Form fields stay unless you remove them. Page content stays.',
  files: 'one',
  suffix: 'no-annotations',
  group: 'Secure',
  tagline: 'Comments, stamps, links and files.',
  responses: 'application/pdf',
  warnings: ['xfa-hides-changes'],
  step: { result: () => 'pdf', addsNothing: true },
  options: z.strictObject({
    types: z
      .union([
        z.enum(['default', 'all', 'comments', 'links']).meta(
          inForm({
            choices: { default: 'All except form fields', all: 'All', comments: 'Comments', links: 'Links' },
          }),
        ),
        z
          .array(subtype)
          .min(1)
          .max(SUBTYPES.length)
          .meta(inForm({ title: 'Selected types' })),
      ])
      .default('default')
      .describe(
        'What to remove. `default`: everything except form fields. `all`: also form fields. `comments`: notes, ' +
          'markup, stamps and attached files. `links`: links. You can also send an array of PDF subtypes, such as ' +
          '`["Highlight", "Stamp"]`. If Sheaf removes a note, it also removes its pop-up and replies.',
      )
      .meta(inForm({ label: 'Remove' })),
    keep: z
      .array(subtype)
      .max(SUBTYPES.length)
      .default([])
      .describe('PDF subtypes that always stay, such as `["Link"]`.')
      .meta(inForm({ label: 'Always keep' })),
    pages: pagesOption('Pages to remove annotations from. Default: all.').optional(),
    author: boundedText(200)
      .min(1)
      .optional()
      .describe(
        'Removes only annotations of this author, ignoring case. With `author`, replies of other authors stay. Links ' +
          'and form fields have no author, so they stay too.',
      )
      .meta(inForm({ label: 'Only by this author' })),
    urlPattern: boundedText(500)
      .min(1)
      .optional()
      .describe(
        'Removes only annotations that link to this URL, ignoring case. Send a part of the URL, such as ' +
          '`example.com`. Or use `*` for any characters. The pattern must then match the whole URL, such as ' +
          '`https://*.example.com/*`.',
      )
      .meta(inForm({ label: 'Only links to' })),
    xfa: xfaOption,
    outputName: outputNameOption('report-no-annotations.pdf'),
  }),
  examples: [
    { title: 'Remove everything except form fields', options: {} },
    { title: 'Remove comments, keep links', options: { types: 'comments' } },
    { title: 'Remove links to one site', options: { types: 'links', urlPattern: 'https://example.com/*' } },
  ],
  edit(document, { types, keep, pages, author, urlPattern }) {
    const keptTypes = new Set<string>(keep)
    const isChosen = (name: string): boolean => !keptTypes.has(name) && isOfType(types, name)
    const isBy = (annotation: PDFDict): boolean =>
      author === undefined || isSame(authorOf(document, annotation), author)
    const chosen = resolvePageSet(pages, document.pageCount, 'options.pages')
    removeFrom(document, {
      pages: chosen,
      matches(annotation) {
        const name = subtypeOf(document, annotation)
        if (!isChosen(name) || (author !== undefined && name === 'Widget')) return false
        return isBy(annotation) && (urlPattern === undefined || leadsTo(document, annotation, urlPattern))
      },
      follows(annotation) {
        const name = subtypeOf(document, annotation)
        return !keptTypes.has(name) && (name === 'Popup' || isBy(annotation))
      },
    })
    const isFiltered = author !== undefined || urlPattern !== undefined || chosen.size < document.pageCount
    if (types === 'all' && !keptTypes.has('Widget') && !isFiltered) removeForm(document)
  },
})

function isOfType(types: string | string[], name: string): boolean {
  if (Array.isArray(types)) return types.includes(name)
  if (types === 'comments') return COMMENTS.some(comment => comment === name)
  if (types === 'links') return name === 'Link'
  return types === 'all' || name !== 'Widget'
}

function isSame(one: string | undefined, other: string): boolean {
  return one !== undefined && fold(one) === fold(other)
}

function fold(text: string): string {
  return text.normalize('NFC').trim().toLowerCase()
}

function leadsTo(document: PdfDocument, annotation: PDFDict, pattern: string): boolean {
  return urlsOf(document, annotation).some(url => isLike(url.toLowerCase(), pattern.toLowerCase()))
}

/** Matches a pattern with wildcards part by part from the left, so that the time is limited for all patterns. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...innerParts] = pattern.split('*')
  const last = innerParts.pop()
  if (last === undefined) return text.includes(first)
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of innerParts) {
    const foundAt = text.indexOf(part, at)
    if (foundAt < 0) return false
    at = foundAt + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
