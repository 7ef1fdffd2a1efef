import { PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { addDeflatedStream } from '../../document/deflated-stream'
import type { PdfDocument } from '../../document/document'
import { setPages } from '../../document/page-tree'
import type { Page } from '../../document/page-tree'
import { findReachable } from '../../document/reachable'
import { findResourceIdentities, pruneResources } from '../../document/resources'
import { ContentAmount } from '../walk/content-limits'
import { readPageStream } from '../walk/content-stream'
import { cutContentTags } from './marked-content/content-tags'
import type { ContentFilter } from './content-filter'
import { Fonts } from '../../fonts/fonts'
import { FormXObjects } from './form-xobjects'
import type { Interpret } from './form-xobjects'
import { GlyphInk } from './glyph-ink'
import { initialRewriteState } from './graphics-state'
import { ImageEraser } from './erasing/erase-in-images'
import { PaintedObjects } from './painted-objects'
import { writePainted } from './painted/write-painted'
import { Patterns } from './patterns'
import { Shadings } from './shadings/shadings'
import { ShownObjects } from '../shown/shown-objects'
import { StreamInterpreter } from './stream-interpreter'
import { StreamResources } from './stream-resources'
import { MarkedContentChanges } from './marked-content/tag-changes'
import * as Name from '../../syntax/names'

/** Page entries that may repeat its content: a thumbnail, and private data of applications. */
const COPIES = ['Thumb', 'PieceInfo'].map(name => PDFName.of(name))

/** A page and the filter for its content. */
export interface PageTask {
  page: Page
  filter: ContentFilter
}

/**
 * Removes content that the filters don't keep: from content streams, form XObjects, patterns, soft masks and images,
 * and the tags of this content. If all content of a page stays, its bytes don't change. Objects that other pages or
 * places share are copied before they change. Throws EngineError `too_large` if a limit of the document is exceeded.
 */
export async function rewriteContent(document: PdfDocument, tasks: PageTask[]): Promise<void> {
  // Find out which pages share resources before the first page gets its own.
  for (const page of document.pages) findResourceIdentities(document, page)
  for (const { page } of tasks) {
    const copies = COPIES.filter(name => page.dict.has(name))
    if (copies.length > 0) for (const name of copies) document.edit(page.ref).delete(name)
  }
  const rewriting = new Rewriting(document)
  const changed = new Set(tasks.filter(task => rewriting.rewrite(task)).map(({ page }) => page))
  if (changed.size === 0) return
  document.saving.addedFeatures.addUnchecked()
  await rewriting.images.finish()
  pruneResources(
    document,
    document.pages.filter(page => !changed.has(page)),
    [...changed],
  )
  // Attributes on page tree nodes would keep resources that were removed from all pages.
  if (document.pages.some(page => page.inherited.has(Name.Resources)))
    setPages(document, document.pages, { detach: true })
  const { tags, dropped } = rewriting
  const unshown = listUnshown(document, rewriting.shown, changed)
  cutContentTags(document, { changes: tags, dropped, unshown, pages: new Set([...changed].map(({ ref }) => ref)) })
  // Something that shows nothing may refer to them, such as private data or the resources of a page without use.
  document.store.sever([...unshown].map(ref => ref.objectNumber))
}

/** The objects in `before` that no page or annotation shows any more, apart from those that only tags refer to. */
function listUnshown(document: PdfDocument, before: ShownObjects, changed: ReadonlySet<Page>): Set<PDFRef> {
  const shown = new ShownObjects(document)
  for (const page of changed) shown.addContent(page)
  const gone = [...before.refs].filter(ref => !shown.refs.has(ref))
  if (gone.length === 0) return new Set()
  const tags = document.catalog.get(Name.StructTreeRoot)
  const stops = new Set(tags instanceof PDFRef ? [tags.objectNumber] : [])
  const reached = findReachable(document, [document.rootRef.objectNumber], stops)
  const left = gone.filter(ref => reached.slotOf(ref.objectNumber) >= 0)
  if (left.length === 0) return new Set()
  for (const page of document.pages) {
    if (!changed.has(page)) shown.addContent(page)
    shown.addAnnotations(page)
  }
  return new Set(left.filter(ref => !shown.refs.has(ref)))
}

class Rewriting {
  readonly images: ImageEraser
  /** The objects that the changed pages showed before. */
  readonly shown: ShownObjects
  readonly tags = new MarkedContentChanges()
  readonly dropped = new Map<PDFRef, PDFRef | undefined>()
  private readonly fonts: Fonts
  private readonly ink: GlyphInk
  private readonly painters: PaintedObjects
  private readonly isTagged: boolean
  private readonly amount: ContentAmount
  /** The results for pages with the same streams, resources and filter. */
  private readonly rewritten = new Map<string, { contents: PDFRef; resources: PDFObject | undefined } | undefined>()

  constructor(private readonly document: PdfDocument) {
    this.isTagged = document.peekDict(document.catalog.get(Name.StructTreeRoot)) !== undefined
    this.images = new ImageEraser(document)
    this.shown = new ShownObjects(document)
    this.amount = new ContentAmount(document)
    this.fonts = new Fonts(document)
    this.ink = new GlyphInk(document, content => this.interpret(content))
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

  /** Rewrites a page. Returns whether any content was removed. */
  rewrite({ page, filter }: PageTask): boolean {
    const { document } = this
    // Reuse a result only if tags don't distinguish the pages and if their objects are indirect.
    const [contents, resources] = [page.dict.get(Name.Contents), page.attribute(Name.Resources)]
    const key =
      !this.isTagged && contents instanceof PDFRef && resources instanceof PDFRef
        ? `${contents.tag} ${resources.tag} ${filter.key}`
        : undefined
    const result =
      key !== undefined && this.rewritten.has(key) ? this.rewritten.get(key) : this.rewriteStreams(page, filter)
    if (key !== undefined) this.rewritten.set(key, result)
    if (!result) return false
    this.shown.addContent(page)
    const dict = document.edit(page.ref)
    dict.set(Name.Contents, result.contents)
    if (result.resources) dict.set(Name.Resources, result.resources)
    return true
  }

  private rewriteStreams(
    page: Page,
    filter: ContentFilter,
  ): { contents: PDFRef; resources: PDFObject | undefined } | undefined {
    const { document } = this
    const resourcesValue = page.attribute(Name.Resources)
    const stream = readPageStream(document, page)
    const resources = new StreamResources(document, stream)
    const state = initialRewriteState()
    const interpreted = this.interpret({ stream, resources, scene: { filter }, state, owner: page.ref })
    if (!interpreted.bytes && stream.isWhole) return undefined
    const content = interpreted.bytes ?? stream.bytes
    const needed = resources.finish(content)
    const contents = addDeflatedStream(document, content)
    return { contents, resources: needed && needed !== resources.dict ? document.register(needed) : resourcesValue }
  }

  private readonly interpret: Interpret = ({ stream, resources, scene, state, owner }) => {
    const { document, fonts, ink, painters, tags } = this
    this.amount.add(stream)
    if (owner && this.isTagged) tags.open(owner)
    const interpreter = new StreamInterpreter({
      document,
      stream,
      resources,
      filter: scene.filter,
      state,
      fonts,
      ink,
      painters,
      tags,
      owner: this.isTagged ? owner : undefined,
    })
    const rewritten = interpreter.run()
    const bytes = rewritten && writePainted(document, { ...stream, bytes: rewritten }, resources)
    return { bytes, kept: interpreter.marks.kept, removed: interpreter.marks.removed }
  }
}
