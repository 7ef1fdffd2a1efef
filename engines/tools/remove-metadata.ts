import { PDFDict } from 'pdf-lib'
import * as z from 'zod'
import { boundedText } from '../options/bounded-text'
import { COMMENTS, removeAnnotations, subtypeOf } from '../pdf/annotations'
import { dropAttachments, findReachable, replaceNames, writeOutline } from '../pdf/document'
import {
  INFORMATION_KEYS,
  recordRemovedClaims,
  removeAssociatedFiles,
  removeObjectMetadata,
  removeScripts,
  stripImages,
} from '../pdf/metadata'
import { removeContentComments } from '../pdf/rewrite-content'
import type { PdfDocument } from '../pdf/document'
import { trimStreams } from '../pdf/save'
import { dropXfa } from '../pdf/forms'
import * as Name from '../pdf/names'
import { outputNameOption } from '../options/schemas'
import { defineTool } from './define'
import { inForm } from '../options/form-hints'

export const removeMetadata = defineTool({
  id: 'remove-metadata',
  title: 'Remove metadata',
  summary:
    'Removes document properties, XMP metadata, thumbnails, identifiers, and private application data. Also removes ' +
    'dates of annotations, source file names, comments in content streams, and older revisions.',
  files: 'one',
  suffix: 'clean',
  group: 'Secure',
  tagline: 'Authors, dates and old revisions.',
  responses: 'application/pdf',
  step: {
    result: () => 'pdf',
    addsNothing: true,
    refuses: ({ keep }, { id, options }) => (id === 'edit-metadata' ? refuseAgain(keep, options) : undefined),
  },
  options: z.strictObject({
    keep: z
      .array(boundedText(127).min(1))
      .max(100)
      .default([])
      .describe('Entries of the information dictionary to keep, by PDF name, such as `["Title", "CreationDate"]`.')
      .meta(inForm({ label: 'Entries to keep' })),
    images: z
      .boolean()
      .default(false)
      .describe(
        "If `true`, also removes EXIF, XMP, IPTC data, comments and trailing bytes from images. Sheaf doesn't " +
          'compress JPEG and JPEG 2000 images again. Color profiles stay.',
      )
      .meta(inForm({ label: 'Remove metadata of images' })),
    attachments: z
      .boolean()
      .default(false)
      .describe('If `true`, also removes attached files. If `false`, attached files lose their dates.')
      .meta(inForm({ label: 'Remove attached files' })),
    javascript: z
      .boolean()
      .default(false)
      .describe('If `true`, also removes all scripts and XFA forms.')
      .meta(inForm({ label: 'Remove scripts' })),
    links: z
      .boolean()
      .default(false)
      .describe('If `true`, also removes all links.')
      .meta(inForm({ label: 'Remove links' })),
    bookmarks: z
      .boolean()
      .default(false)
      .describe('If `true`, also removes the bookmarks.')
      .meta(inForm({ label: 'Remove bookmarks' })),
    comments: z
      .boolean()
      .default(false)
      .describe(
        'If `true`, also removes comments: notes, highlights, stamps and drawings. Links, form fields and ' +
          'attached files stay.',
      )
      .meta(inForm({ label: 'Remove comments' })),
    outputName: outputNameOption('report-clean.pdf'),
  }),
  examples: [
    { title: 'Remove all metadata', options: {} },
    {
      title: 'Keep the title, also remove scripts and comments',
      options: { keep: ['Title'], javascript: true, comments: true, images: true },
    },
  ],
  edit(document, { keep, images, attachments, javascript, links, bookmarks, comments }) {
    recordRemovedClaims(document)
    const info = keptInfo(document, new Set(keep))
    document.infoRef = undefined
    document.saving.id = undefined
    if (attachments) {
      dropAttachments(document)
      removeAssociatedFiles(document)
    }
    if (javascript) {
      dropXfa(document)
      replaceNames(document, Name.JavaScript, [])
      removeScripts(document)
    }
    if (bookmarks) dropOutline(document)
    dropAnnotations(
      document,
      new Set([
        ...(links ? ['Link'] : []),
        ...(attachments ? ['FileAttachment'] : []),
        ...(comments ? COMMENTS.filter(type => type !== 'FileAttachment') : []),
      ]),
    )
    removeObjectMetadata(document)
    if (images) stripImages(document)
    // Both change the data of streams only, so the same objects stay reachable.
    const reached = findReachable(document, [document.rootRef.objectNumber])
    const ends = removeContentComments(document, reached)
    trimStreams(document, reached, { images, ends })
    document.infoRef = info && document.register(info)
  },
})

/** Returns the remaining entries of the information dictionary in a new dictionary, without anything else. */
function keptInfo(document: PdfDocument, keep: ReadonlySet<string>): PDFDict | undefined {
  const remainingInfo = PDFDict.withContext(document.context)
  for (const [key, value] of document.peekDict(document.infoRef)?.entries() ?? []) {
    const object = document.peek(value)
    if (object && !(object instanceof PDFDict) && keep.has(Buffer.from(key.asBytes()).toString('utf8')))
      remainingInfo.set(key, object)
  }
  return remainingInfo.keys().length ? remainingInfo : undefined
}

function dropOutline(document: PdfDocument): void {
  writeOutline(document, [])
  if (document.peek(document.catalog.get(Name.PageMode)) === Name.UseOutlines)
    document.editCatalog().delete(Name.PageMode)
}

function dropAnnotations(document: PdfDocument, kinds: ReadonlySet<string>): void {
  if (kinds.size === 0) return
  const goes = (annotation: PDFDict): boolean => kinds.has(subtypeOf(document, annotation) ?? '')
  removeAnnotations(document, { pages: new Set(document.pages.keys()), matches: goes, follows: () => true })
}

/** Returns why a later edit of the metadata with these options contradicts the removal. */
function refuseAgain(keep: readonly string[], options: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(options.custom ?? {})
  for (const [option, name] of Object.entries(INFORMATION_KEYS)) if (isSet(options[option])) names.push(name)
  const added = names.find(name => !keep.includes(name))
  return (
    added &&
    `adds ${JSON.stringify(added)}, which remove-metadata was asked to remove. List it in keep of remove-metadata, or leave out one of the two steps.`
  )
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
}
