import { createHash } from 'node:crypto'
import { PDFString } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import { EngineError } from '../errors'
import { keyOfCode } from '../pdf-core/content/code-keys'
import { addDeflatedStream } from '../pdf-core/document/deflated-stream'
import type { PdfDocument } from '../pdf-core/document/document'
import { writeToUnicode } from '../pdf-core/content/write-to-unicode'
import { isPlain } from './face'
import type { Cluster, EmbeddedCluster, Face } from './face'

/** A face in a document, with the glyphs that were used of it. */
interface EmbeddedFont {
  face: Face
  ref: PDFRef
  /** Code by what is drawn and its text: the same glyph has another code where it stands for something else. */
  codes: Map<string, number>
  /** The same by the cluster itself, where it was met before. */
  codesOfClusters: Map<Cluster, number>
  /** By code; code 0 is no glyph. */
  clusters: Cluster[]
}

/** The last code of a font: codes are numbers of two bytes (ISO 32000-2, 9.7.6.2). */
const LAST_CODE = 0xffff

const NOTHING: Cluster = { parts: [{ glyph: 0, dx: 0, dy: 0 }], advance: 0, text: '' }

const fontsOfDocuments = new WeakMap<PdfDocument, DocumentFonts>()

/**
 * The fonts that are embedded in a document, one object for all that draw in it. They are written when it is saved,
 * with the glyphs that were used until then: Type 0 over TrueType (ISO 32000-2, 9.7), every code with its text in
 * /ToUnicode.
 */
export function fontsOf(document: PdfDocument): DocumentFonts {
  const known = fontsOfDocuments.get(document)
  if (known) return known
  const fonts = new DocumentFonts(document)
  fontsOfDocuments.set(document, fonts)
  return fonts
}

/** See `fontsOf`. */
export class DocumentFonts {
  private readonly fonts = new Map<Face, EmbeddedFont>()

  /** Use `fontsOf`. */
  constructor(private readonly document: PdfDocument) {
    document.beforeSave(() => {
      for (const font of this.fonts.values()) this.write(font)
    })
  }

  /** The font object of a face; it is complete once the document is saved. */
  refOf(face: Face): PDFRef {
    return this.fontOf(face).ref
  }

  /**
   * The code that shows a cluster and is read as its text. Throws EngineError `too-large` when a font has no code left.
   */
  encode(face: Face, cluster: Cluster): number {
    const font = this.fontOf(face)
    const known = font.codesOfClusters.get(cluster)
    if (known !== undefined) return known
    const code = this.codeOf(font, cluster)
    font.codesOfClusters.set(cluster, code)
    return code
  }

  private codeOf(font: EmbeddedFont, cluster: Cluster): number {
    const key = keyOf(cluster)
    const known = font.codes.get(key)
    if (known !== undefined) return known
    const code = font.clusters.length
    if (code > LAST_CODE)
      throw new EngineError('too-large', 'The text has too many different characters for one document. Use less text.')
    font.codes.set(key, code)
    font.clusters.push(cluster)
    return code
  }

  private fontOf(face: Face): EmbeddedFont {
    const known = this.fonts.get(face)
    if (known) return known
    const { document } = this
    const font: EmbeddedFont = {
      face,
      ref: document.register(document.context.obj({})),
      codes: new Map(),
      codesOfClusters: new Map(),
      clusters: [NOTHING],
    }
    this.fonts.set(face, font)
    return font
  }

  private write({ face, ref, clusters }: EmbeddedFont): void {
    const { document } = this
    const { context } = document
    const { file, glyphs } = face.embed(clusters)
    const name = `${tagOf(face, file)}+${face.name}`
    const descriptor = context.obj({
      Type: 'FontDescriptor',
      FontName: name,
      Flags: 4,
      FontBBox: boxOf(face, clusters),
      ItalicAngle: face.name.includes('Italic') ? -9 : 0,
      Ascent: Math.round(face.ascent),
      Descent: Math.round(face.descent),
      CapHeight: Math.round(face.capHeight),
      StemV: Math.round(50 + ((face.weight ?? 400) / 65) ** 2),
      FontFile2: addDeflatedStream(document, file, { Length1: file.length }),
      // PDF/A-1 asks for it (ISO 19005-1, 6.3.5).
      CIDSet: addDeflatedStream(document, writeCidSet(clusters.length)),
    })
    const descendant = context.obj({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: name,
      CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
      FontDescriptor: document.register(descriptor),
      DW: 0,
      W: [1, clusters.slice(1).map(cluster => face.advanceOf(cluster))],
      CIDToGIDMap: addDeflatedStream(document, Buffer.from(glyphs.flatMap(glyph => [glyph >> 8, glyph & 0xff]))),
    })
    const font = context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [document.register(descendant)],
      ToUnicode: addDeflatedStream(
        document,
        writeToUnicode(
          clusters.flatMap(({ text }, code) => (text === '' ? [] : [[keyOfCode(code, 2), text] as const])),
        ),
      ),
    })
    context.assign(ref, font)
  }
}

function keyOf(cluster: Cluster): string {
  if (isPlain(cluster)) return `${cluster.parts[0]?.glyph} ${cluster.text}`
  return `${cluster.parts.map(({ glyph, dx, dy }) => `${glyph},${dx},${dy}`).join(';')} ${cluster.advance} ${cluster.text}`
}

/** Six letters that tell one subset from another (9.9.2), the same for the same font file. */
function tagOf(face: Face, file: Uint8Array): string {
  const digest = createHash('sha256').update(face.name).update(file).digest()
  return Array.from(digest.subarray(0, 6), byte => String.fromCharCode(65 + (byte % 26))).join('')
}

/** The bits of the CIDs from 0, highest first, with this many of them set (ISO 32000-1, table 124). */
function writeCidSet(count: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil(count / 8), 0xff)
  bytes[bytes.length - 1] = 0xff << (bytes.length * 8 - count)
  return bytes
}

function boxOf(face: Face, clusters: readonly EmbeddedCluster[]): number[] {
  const boxes = clusters.map(cluster => face.inkOf(cluster)).filter(box => box !== undefined)
  return [
    Math.floor(Math.min(0, ...boxes.map(box => box.left))),
    Math.floor(Math.min(face.descent, ...boxes.map(box => box.bottom))),
    Math.ceil(Math.max(0, ...boxes.map(box => box.right))),
    Math.ceil(Math.max(face.ascent, ...boxes.map(box => box.top))),
  ]
}
