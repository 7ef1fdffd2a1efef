import * as z from 'zod'
import { completeTags } from '../standards/archival/complete-tags'
import { describeLinks } from '../standards/archival/describe-links'
import { replaceNullCharacters } from '../standards/archival/fix-unicode'
import { markArtifacts } from '../standards/archival/mark-artifacts'
import { publishConforming } from '../standards/archival/publish-conforming'
import type { GuaranteedProfile } from '../standards/archival/publish-conforming'
import { EngineError, isEngineError, isErrorOfOptions } from '../errors'
import { readConformance } from '../options/conformance'
import type { PdfDocument } from '../pdf/document'
import { tagForms } from '../pdf/tags'
import { selectPages } from '../pdf/page'
import { changeMetadata } from '../pdf/metadata'
import type { MetadataField } from '../pdf/metadata'
import { readText } from '../pdf/syntax'
import { setViewerPreferences } from '../pdf/document'
import * as Name from '../pdf/names'
import { resolvePages } from '../options/selectors'
import { defineTool } from './define'
import type { ToolContext } from './define'
import { pageOptions } from '../webpage/request/options'

const { pages, maxPages, metadata, conformance } = pageOptions.shape

/**
 * The browser uses the URL as the title of a page without one. For a site that the caller sent, this is an internal
 * host.
 */
const INTERNAL_URL = /^https?:\/\/[0-9a-f]{24}\.localhost\//

/**
 * Completes a printed page in an engine process. It removes pages beyond the limit and pages that weren't requested,
 * sets the metadata, and removes everything that differs between two prints of the same page.
 */
export const finishPage = defineTool({
  id: 'finish-page',
  title: 'Finish a printed web page',
  summary: 'A step of the web page call, which no caller can ask for by itself.',
  files: 'one',
  suffix: 'page',
  group: 'Create',
  tagline: 'Finished pages.',
  responses: 'application/pdf',
  step: { result: () => 'pdf' },
  options: z.strictObject({
    pages,
    maxPages,
    metadata,
    conformance,
    /** Whether the page was behind a URL. */
    isRemote: z.boolean().default(false),
    outputName: z.string(),
  }),
  examples: [{ title: 'As it is', options: { outputName: 'page' } }],
  run([input], options, context) {
    if (!input) throw new EngineError('internal', 'No page was printed.')
    const { document } = input
    complete(document, options, context)
    tagForms(document)
    const profiles = readConformance(options.conformance)
    if (!profiles) return { kind: 'pdf', document }
    if (profiles.includes('pdfua-1')) {
      completeTags(document)
      markArtifacts(document)
      replaceNullCharacters(document)
      describeLinks(document)
    }
    const bytes = publish(document, profiles, options.isRemote)
    return { kind: 'file', bytes, contentType: 'application/pdf', extension: 'pdf' }
  },
})

type Options = z.output<typeof finishPage.options>

function complete(
  document: PdfDocument,
  { pages, maxPages, metadata = {} }: Pick<Options, 'pages' | 'maxPages' | 'metadata'>,
  { warn }: ToolContext,
): void {
  if (document.pageCount > maxPages) {
    warn('pages-cut')
    selectPages(
      document,
      Array.from({ length: maxPages }, (_, index) => index),
    )
  }
  if (pages !== undefined) selectPages(document, resolvePages(pages, document.pageCount, 'pages'))
  const { keywords, ...otherMetadata } = metadata
  const requestedMetadata = {
    creationDate: '',
    modDate: '',
    ...otherMetadata,
    keywords: Array.isArray(keywords) ? keywords.join(', ') : keywords,
  }
  const fields = new Map<MetadataField, string>()
  for (const [field, value] of Object.entries(requestedMetadata) as [MetadataField, string | undefined][])
    if (value !== undefined) fields.set(field, value) // The keys are those of the schema.
  if (!fields.has('title') && INTERNAL_URL.test(readTitle(document))) fields.set('title', '')
  changeMetadata(document, { fields, custom: new Map() })
  if (readTitle(document) !== '') setViewerPreferences(document, { displayTitle: true }, 'metadata')
}

/** If the page is behind a URL, nobody can change it, so the error is that it could not be converted. */
function publish(document: PdfDocument, profiles: readonly GuaranteedProfile[], isRemote: boolean): Uint8Array {
  try {
    return publishConforming(document, { profiles, required: profiles }).join()
  } catch (error) {
    if (!isRemote || !isEngineError(error) || !isErrorOfOptions(error)) throw error
    throw new EngineError('not_rendered', error.message, { problems: error.problems })
  }
}

function readTitle(document: PdfDocument): string {
  return readText(document.peek(document.peekDict(document.infoRef)?.get(Name.Title))) ?? ''
}
