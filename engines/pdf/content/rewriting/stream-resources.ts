import { PDFDict, PDFName } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import { decodeContent } from '../../document/decode-content'
import type { PdfDocument } from '../../document/document'
import { keepNamedResources } from '../../document/resources'
import * as Name from '../../syntax/names'
import { findResource } from '../walk/content-stream'
import type { ResourcesOfStream } from '../walk/content-stream'
import { findOrAdd } from '../../../map-entries'
import { copyDict } from '../../document/object-copies'

const NOTDEF = PDFName.of('.notdef')

/** The resources of one content stream, and the objects that its rewritten content needs in addition. */
export class StreamResources {
  private readonly added = new Map<string, Map<string, PDFObject>>()
  private readonly names = new Map<PDFObject, string>()
  private readonly procedures = new Map<string, { kept: Set<string>; removed: Set<string> }>()

  constructor(
    private readonly document: PdfDocument,
    private readonly stream: ResourcesOfStream,
  ) {}

  /** The resources before the rewriting. */
  get dict(): PDFDict | undefined {
    return this.stream.resources
  }

  /** Adds an object and returns its name. The same object always has the same name. */
  add(category: string, object: PDFRef): string {
    const existing = this.names.get(object)
    if (existing !== undefined) return existing
    let count = this.names.size + 1
    while (this.category(category)?.has(PDFName.of(`Cut${count}`))) count++
    const name = `Cut${count}`
    findOrAdd(this.added, category, () => new Map()).set(name, object)
    this.names.set(object, name)
    return name
  }

  /** Finds an object by its name, whether it was added or not. */
  find(category: string, name: string): PDFObject | undefined {
    return this.added.get(category)?.get(name) ?? findResource(this.document, this.stream, category, name)
  }

  /** Records whether a procedure of a Type 3 font is still used. */
  recordProcedure(fontName: string | undefined, procedure: string, stays: boolean): void {
    if (fontName === undefined) return
    const uses = findOrAdd(this.procedures, fontName, () => ({ kept: new Set<string>(), removed: new Set<string>() }))
    if (stays) uses.kept.add(procedure)
    else uses.removed.add(procedure)
  }

  /** Returns the resources for the rewritten content, without those that only removed content used. */
  finish(content: Uint8Array): PDFDict | undefined {
    const { document, dict } = this
    const fonts = this.cutFonts()
    let whole = dict
    if (this.added.size > 0 || fonts.size > 0) {
      whole = copyDict(document, dict)
      for (const [category, part] of this.added) whole.set(PDFName.of(category), this.extend(category, part))
      if (fonts.size > 0) whole.set(Name.Font, this.extend('Font', fonts))
    }
    return whole && (keepNamedResources(document, whole, [content]) ?? whole)
  }

  private extend(category: string, part: ReadonlyMap<string, PDFObject>): PDFDict {
    const entries = new Map(this.category(category)?.entries() ?? [])
    for (const [name, object] of part) entries.set(PDFName.of(name), object)
    return PDFDict.fromMapWithContext(entries, this.document.context)
  }

  private category(name: string): PDFDict | undefined {
    return this.document.peekDict(this.dict?.get(PDFName.of(name)))
  }

  /**
   * Removes the glyph procedures that are no longer used from Type 3 fonts, and their names, because names may be
   * words.
   */
  private cutFonts(): Map<string, PDFObject> {
    const { document } = this
    const fonts = new Map<string, PDFObject>()
    for (const [fontName, { kept, removed }] of this.procedures) {
      const removedGlyphs = new Set([...removed].filter(procedure => !kept.has(procedure)))
      const font = document.peekDict(findResource(document, this.stream, 'Font', fontName))
      const drawings = document.peekDict(font?.get(Name.CharProcs))
      if (!font || !drawings || removedGlyphs.size === 0) continue
      const remaining = drawings.entries().filter(([key]) => !removedGlyphs.has(key.decodeText()))
      const copy = copyDict(document, font)
      copy.set(Name.CharProcs, PDFDict.fromMapWithContext(new Map(remaining), document.context))
      const encoding = this.cutNames(document.peekDict(font.get(Name.Encoding)), removedGlyphs)
      if (encoding) copy.set(Name.Encoding, encoding)
      const resources = this.keepUsed(document.peekDict(font.get(Name.Resources)), remaining)
      if (resources) copy.set(Name.Resources, resources)
      fonts.set(fontName, document.register(copy))
    }
    return fonts
  }

  /** Replaces the names of removed glyphs in an encoding with `.notdef`. */
  private cutNames(encoding: PDFDict | undefined, removedGlyphs: ReadonlySet<string>): PDFDict | undefined {
    const { document } = this
    const differences = document.peekArray(encoding?.get(Name.Differences))
    if (!encoding || !differences) return undefined
    const remaining = differences.asArray().map(item => {
      const name = document.peek(item)
      return name instanceof PDFName && removedGlyphs.has(name.decodeText()) ? NOTDEF : item
    })
    return PDFDict.fromMapWithContext(
      new Map([...encoding.entries(), [Name.Differences, document.context.obj(remaining)]]),
      document.context,
    )
  }

  /**
   * Removes the resources of a Type 3 font that only removed glyph procedures used. Undefined if the resources don't
   * change.
   */
  private keepUsed(
    resources: PDFDict | undefined,
    drawings: readonly (readonly [PDFName, PDFObject])[],
  ): PDFDict | undefined {
    const { document } = this
    const contents = drawings.map(([, drawing]) => decodeContent(document, drawing))
    return resources && contents.every(content => content !== undefined)
      ? keepNamedResources(document, resources, contents)
      : undefined
  }
}
