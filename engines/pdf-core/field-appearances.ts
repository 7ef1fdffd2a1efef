import { PDFAcroCheckBox, PDFAcroComboBox, PDFAcroListBox, PDFAcroRadioButton, PDFAcroText, PDFCheckBox, PDFDocument, PDFDropdown, PDFName, PDFNumber, PDFOptionList, PDFRadioGroup, PDFTextField, StandardFonts } from 'pdf-lib'
import type { PDFContext, PDFDict, PDFFont, PDFObject, PDFRef } from 'pdf-lib'
import { isEngineError } from '../errors'
import type { PdfDocument } from './document'
import { readText } from './text-string'
import type { TerminalField } from './terminal-fields'

const PARENT = PDFName.of('Parent')
const DA = PDFName.of('DA')
const FF = PDFName.of('Ff')
const V = PDFName.of('V')

/** Characters of a value; pdf-lib lays longer ones out for minutes while it looks for a size that fits. */
const MAX_TEXT = 20_000

/** Flags of fields (ISO 32000-2, tables 228 and 230). */
const RADIO = 1 << 15
const PUSH_BUTTON = 1 << 16
const COMBO = 1 << 17

/** Draws the appearances of form fields that have none, with pdf-lib's form code and Helvetica. */
export class FieldAppearances {
  private constructor(
    private readonly document: PdfDocument,
    private readonly pdf: PDFDocument,
    private readonly font: PDFFont,
  ) {}

  static async create(document: PdfDocument): Promise<FieldAppearances> {
    // The constructor is private in the types only; it does no more than hold on to the context and look up the catalog,
    // which the parser makes a PDFCatalog. Loading would parse the file a second time.
    const Constructor = PDFDocument as unknown as new (context: PDFContext, ignoreEncryption: boolean, updateMetadata: boolean) => PDFDocument
    document.editCatalog()
    const pdf = new Constructor(document.context, true, false)
    return new FieldAppearances(document, pdf, await pdf.embedFont(StandardFonts.Helvetica))
  }

  /** Draws all widgets of a field anew. False when that can't be: signatures, buttons, values outside WinAnsi, damage. */
  draw(field: TerminalField): boolean {
    if (!this.isSafe(field.ref) || (readText(this.inherited(field.ref, V))?.length ?? 0) > MAX_TEXT) return false
    const dict = this.document.edit(field.ref)
    const appearance = this.inherited(field.ref, DA) ?? this.document.peekDict(this.document.catalog.get(PDFName.of('AcroForm')))?.get(DA)
    if (appearance && !dict.has(DA)) dict.set(DA, appearance)
    try {
      return this.update(field, dict)
    } catch (error) {
      if (isEngineError(error)) throw error
      return false // pdf-lib refuses what its font can't show and what is not as the standard has it; nothing was replaced then
    }
  }

  /** Puts the font into the document; call it when all fields are drawn. */
  async finish(): Promise<void> {
    await this.pdf.flush()
  }

  private update({ ref, type }: TerminalField, dict: PDFDict): boolean {
    const { pdf, font } = this
    const value = this.inherited(ref, FF)
    const flags = value instanceof PDFNumber ? value.asNumber() : 0
    if (type === 'Tx') PDFTextField.of(PDFAcroText.fromDict(dict, ref), ref, pdf).updateAppearances(font)
    else if (type === 'Ch' && flags & COMBO) PDFDropdown.of(PDFAcroComboBox.fromDict(dict, ref), ref, pdf).updateAppearances(font)
    else if (type === 'Ch') PDFOptionList.of(PDFAcroListBox.fromDict(dict, ref), ref, pdf).updateAppearances(font)
    else if (type === 'Btn' && flags & PUSH_BUTTON) return false
    else if (type === 'Btn' && flags & RADIO) PDFRadioGroup.of(PDFAcroRadioButton.fromDict(dict, ref), ref, pdf).updateAppearances()
    else if (type === 'Btn') PDFCheckBox.of(PDFAcroCheckBox.fromDict(dict, ref), ref, pdf).updateAppearances()
    else return false
    return true
  }

  private inherited(ref: PDFRef, key: PDFName): PDFObject | undefined {
    for (let dict = this.document.peekDict(ref), depth = 0; dict && depth < 64; dict = this.document.peekDict(dict.get(PARENT)), depth++) {
      const value = this.document.peek(dict.get(key))
      if (value) return value
    }
    return undefined
  }

  /** pdf-lib climbs to the topmost field by recursion. */
  private isSafe(ref: PDFRef): boolean {
    let dict = this.document.peekDict(ref)
    for (let depth = 0; depth < 64; depth++) {
      if (!dict) return true
      dict = this.document.peekDict(dict.get(PARENT))
    }
    return false
  }
}
