import { PDFArray, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { EngineError } from '../errors'
import { decodeContent } from '../pdf-core/document/decode-content'
import { addDeflatedStream } from '../pdf-core/document/deflated-stream'
import type { PdfDocument } from '../pdf-core/document/document'
import { setPages } from '../pdf-core/document/page-tree'
import type { Page } from '../pdf-core/document/page-tree'
import { findResourceIdentities, pruneResources } from '../pdf-core/document/resources'
import { cutContentTags } from './tags/content-tags'
import type { ContentFilter } from './content-filter'
import { Fonts } from './fonts/fonts'
import { FormXObjects } from './form-xobjects'
import type { Interpret } from './form-xobjects'
import { initialState } from './graphics-state'
import { ImageCuts } from './images/image-cuts'
import { PaintedObjects } from './painted-objects'
import { Patterns } from './patterns'
import { Shadings } from './shadings/shadings'
import { StreamInterpreter } from './stream-interpreter'
import { StreamResources } from './stream-resources'
import { MarkedContentChanges } from './tags/tag-changes'
import * as Name from '../pdf-core/syntax/names'

/** Entries of a page that may show or hold its content a second time: a thumbnail, private data of programs. */
const COPIES = ['Thumb', 'PieceInfo'].map(name => PDFName.of(name))

/** What going through a stream costs besides its length. */
const BYTES_PER_STREAM = 1000

/** A page with what decides about its content. */
export interface PageTask {
  page: Page
  decider: ContentFilter
}

/**
 * Removes from the content of pages what their deciders do not keep: from their streams, forms, patterns, soft masks
 * and images, and from the tags what stood for it. Pages that keep all of their content keep its bytes. What is shared
 * with other pages or places is copied before it is changed. Throws EngineError `too-large` where a limit of the
 * document is reached.
 */
export async function rewriteContent(document: PdfDocument, tasks: PageTask[]): Promise<void> {
  // Who shares resources with whom has to be known before the first page gets its own.
  for (const page of document.pages) findResourceIdentities(document, page)
  for (const { page } of tasks) {
    const copies = COPIES.filter(name => page.dict.has(name))
    if (copies.length > 0) for (const name of copies) document.edit(page.ref).delete(name)
  }
  const rewriting = new Rewriting(document)
  const changed = new Set(tasks.filter(task => rewriting.rewrite(task)).map(({ page }) => page))
  if (changed.size === 0) return
  document.addedFeatures.addUnchecked()
  await rewriting.images.finish()
  pruneResources(
    document,
    document.pages.filter(page => !changed.has(page)),
    [...changed],
  )
  // What a node of the page tree holds for all of its pages would keep what was removed from them.
  if (document.pages.some(page => page.inherited.has(Name.Resources)))
    setPages(document, document.pages, { detach: true })
  cutContentTags(document, rewriting.tags, rewriting.dropped)
}

class Rewriting {
  readonly images: ImageCuts
  readonly tags = new MarkedContentChanges()
  readonly dropped = new Map<PDFRef, PDFRef | undefined>()
  private readonly fonts: Fonts
  private readonly painters: PaintedObjects
  private interpretedBytes = 0
  /** What pages with the same streams, resources and box became. */
  private readonly rewritten = new Map<string, { contents: PDFRef; resources: PDFObject | undefined } | undefined>()

  constructor(private readonly document: PdfDocument) {
    this.images = new ImageCuts(document)
    this.fonts = new Fonts(document)
    const forms = new FormXObjects(document, content => this.interpret(content))
    const shadings = new Shadings(document)
    this.painters = new PaintedObjects(
      document,
      forms,
      this.images,
      new Patterns(document, forms, shadings),
      shadings,
      this.dropped,
    )
  }

  /** Whether anything of the page's content went. */
  rewrite({ page, decider }: PageTask): boolean {
    const { document } = this
    const structParents = document.peekNumber(page.dict.get(Name.StructParents))
    // Tags tell pages apart, and direct objects are each page's own.
    const [contents, resources] = [page.dict.get(Name.Contents), page.attribute(Name.Resources)]
    const key =
      structParents === undefined && contents instanceof PDFRef && resources instanceof PDFRef
        ? `${contents.tag} ${resources.tag} ${decider.key}`
        : undefined
    const result =
      key !== undefined && this.rewritten.has(key)
        ? this.rewritten.get(key)
        : this.rewriteStreams(page, decider, structParents)
    if (key !== undefined) this.rewritten.set(key, result)
    if (!result) return false
    const dict = document.edit(page.ref)
    dict.set(Name.Contents, result.contents)
    if (result.resources) dict.set(Name.Resources, result.resources)
    return true
  }

  private rewriteStreams(
    page: Page,
    decider: ContentFilter,
    structParents: number | undefined,
  ): { contents: PDFRef; resources: PDFObject | undefined } | undefined {
    const { document } = this
    const { bytes, isWhole } = this.readContents(page)
    const given = page.attribute(Name.Resources)
    const resources = new StreamResources(document, document.peekDict(given))
    const interpreted = this.interpret({ bytes, resources, scene: { decider }, state: initialState(), structParents })
    if (!interpreted.bytes && isWhole) return undefined
    const content = interpreted.bytes ?? bytes
    const needed = resources.finish(content)
    const contents = addDeflatedStream(document, content)
    return { contents, resources: needed && needed !== resources.dict ? document.register(needed) : given }
  }

  private readonly interpret: Interpret = ({ bytes, resources, scene, state, structParents }) => {
    const { document, fonts, painters, tags } = this
    this.interpretedBytes += bytes.length + BYTES_PER_STREAM
    // Forms that draw forms may have the same stream gone through again and again: this bounds all of it together.
    if (this.interpretedBytes > document.limits.maxInflateBytes) {
      throw new EngineError(
        'too-large',
        'The content of the pages, with all forms that they draw, is more than ' +
          `${document.limits.maxInflateBytes.toLocaleString('en')} bytes; use fewer pages.`,
      )
    }
    const interpreter = new StreamInterpreter({
      document,
      bytes,
      resources,
      decider: scene.decider,
      state,
      fonts,
      painters,
      tags,
      structParents,
    })
    const rewritten = interpreter.run()
    return { bytes: rewritten, kept: interpreter.marks.kept, removed: interpreter.marks.removed }
  }

  /** The page's streams as one (ISO 32000-2, 7.8.2); what can't be decoded shows nothing, and is left out. */
  private readContents(page: Page): { bytes: Uint8Array; isWhole: boolean } {
    const { document } = this
    const value = document.peek(page.dict.get(Name.Contents))
    const items: (PDFObject | undefined)[] = value instanceof PDFArray ? value.asArray() : [value]
    const streams = items.filter(item => document.peek(item) instanceof PDFRawStream)
    const decoded = streams.map(item => decodeContent(document, item))
    const parts = decoded.flatMap(bytes => (bytes ? [bytes, Buffer.from('\n')] : []))
    return {
      bytes: parts.length === 2 ? (parts[0] as Uint8Array) : Buffer.concat(parts),
      isWhole: !decoded.includes(undefined),
    }
  }
}
