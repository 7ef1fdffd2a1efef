import { PdfDict } from '../pdf-syntax'
import type { PdfValue } from '../pdf-syntax'
import { StrictPdf } from '../strict-pdf'
import { decodeChain } from './decoded-streams'
import { readContent } from './shown-codes'

/** A font of a file, and the strings that the file's content streams show with it. */
export interface ShownFont {
  dict: PdfDict
  strings: string[]
}

/** A file as the font judge reads it, object by object. */
export class FontFileReader {
  readonly pdf: StrictPdf

  constructor(file: Buffer) {
    this.pdf = new StrictPdf(file)
  }

  /** The decoded bytes of a stream. Undefined if the value isn't a stream. */
  bytesOf(value: PdfValue | undefined): Buffer | undefined {
    const dict = this.pdf.get(value)
    const object = dict instanceof PdfDict ? [...this.pdf.objects.values()].find(one => one.value === dict) : undefined
    if (!object?.data || !(dict instanceof PdfDict)) return undefined
    const filter = this.pdf.get(dict.get('Filter'))
    const names = (Array.isArray(filter) ? filter : [filter]).flatMap(one => this.pdf.text(one) ?? [])
    return names.length === 0 ? object.data : decodeChain(object.data, names)
  }

  /** Each font in a resource dictionary or object of the file, with the strings shown with it. */
  readFonts(): ShownFont[] {
    const fonts = new Map<PdfDict, ShownFont>()
    const note = (dict: PdfDict): ShownFont => {
      const font = fonts.get(dict) ?? { dict, strings: [] }
      fonts.set(dict, font)
      return font
    }
    for (const { value } of this.pdf.objects.values()) {
      if (
        value instanceof PdfDict &&
        this.pdf.text(value.get('Type')) === 'Font' &&
        !this.pdf.text(value.get('Subtype'))?.startsWith('CIDFont')
      )
        note(value)
    }
    for (const { content, resources } of this.listContent()) {
      const named = this.pdf.dict(resources.get('Font'))
      for (const value of named.values()) if (this.pdf.dict(value).size > 0) note(this.pdf.dict(value))
      for (const { font, bytes } of readContent(content).shown) note(this.pdf.dict(named.get(font))).strings.push(bytes)
    }
    return [...fonts.values()].filter(({ dict }) => dict.size > 0)
  }

  private listContent(): { content: Buffer; resources: PdfDict }[] {
    const found: { content: Buffer; resources: PdfDict }[] = []
    for (const { dict } of this.pdf.pages) {
      const listed = this.pdf.get(dict.get('Contents'))
      const parts = Array.isArray(listed) ? listed : [dict.get('Contents') ?? null]
      const content = Buffer.concat(parts.flatMap(part => [this.bytesOf(part) ?? Buffer.alloc(0), Buffer.from('\n')]))
      found.push({ content, resources: this.inherited(dict, 'Resources') })
    }
    for (const { value } of this.pdf.objects.values()) {
      if (!(value instanceof PdfDict)) continue
      const isForm = this.pdf.text(value.get('Subtype')) === 'Form' || value.has('PatternType')
      if (isForm)
        found.push({
          content: this.bytesOf(value) ?? Buffer.alloc(0),
          resources: this.pdf.dict(value.get('Resources')),
        })
      for (const proc of this.pdf.dict(value.get('CharProcs')).values())
        found.push({
          content: this.bytesOf(proc) ?? Buffer.alloc(0),
          resources: this.pdf.dict(value.get('Resources')),
        })
    }
    return found
  }

  private inherited(page: PdfDict, key: string): PdfDict {
    for (let node = page, depth = 0; depth < 50; node = this.pdf.dict(node.get('Parent')), depth++)
      if (node.has(key)) return this.pdf.dict(node.get(key))
    return new PdfDict()
  }
}
