import type { WrappedPdfiumModule } from '@embedpdf/pdfium'

/** What PDFium asks for: the arguments of MapFont in FPDF_SYSFONTINFO. */
export interface FontRequest {
  weight: number
  isItalic: boolean
  /** A character set of Windows (`lfCharSet` of LOGFONT). */
  charset: number
  /** Bits of the pitch and the family of Windows. */
  pitchFamily: number
  face: string
}

/** A font for PDFium. */
export interface GivenFont {
  /** The name by which PDFium tells fonts apart. */
  readonly name: string
  /** A TrueType file with `name` as its family. */
  readonly bytes: Uint8Array
}

/**
 * FPDF_SYSFONTINFO of fpdf_sysfontinfo.h, in pointers of four bytes: the version and eight functions. Version 2 doesn't
 * list fonts in advance.
 */
const INFO_BYTES = 36
const VERSION = 2

type Chooser = (request: FontRequest) => GivenFont | undefined

/** Who chooses the fonts at the moment. PDFium is only called synchronously. */
let chooser: Chooser | undefined

/** Runs `work`, in which PDFium may ask for fonts. Outside of it, PDFium only has its own fonts. */
export function answerFontRequests<Result>(choose: Chooser, work: () => Result): Result {
  const before = chooser
  chooser = choose
  try {
    return work()
  } finally {
    chooser = before
  }
}

/** Gives a new PDFium the fonts that `answerFontRequests` chooses. */
export function installFontMapper(pdfium: WrappedPdfiumModule): void {
  const { addFunction, setValue, UTF8ToString, wasmExports } = pdfium.pdfium
  const fonts: GivenFont[] = []
  const memory = (): Uint8Array => (pdfium.pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8 // missing in the types
  /** Copies bytes if there is enough room. Returns their number in any case. */
  const copy = (bytes: Uint8Array, to: number, room: number): number => {
    if (to !== 0 && room >= bytes.length) memory().set(bytes, to)
    return bytes.length
  }
  const mapFont = (
    _info: number,
    weight: number,
    italic: number,
    charset: number,
    pitchFamily: number,
    face: number,
  ): number => {
    const font = chooser?.({ weight, isItalic: italic !== 0, charset, pitchFamily, face: UTF8ToString(face) })
    if (!font) return 0
    if (!fonts.includes(font)) fonts.push(font)
    return fonts.indexOf(font) + 1
  }
  const fontOf = (handle: number): GivenFont | undefined => fonts[handle - 1]
  const functions: readonly (readonly [(...values: number[]) => number | void, signature: string])[] = [
    [() => {}, 'vi'], // Release
    [() => {}, 'vii'], // EnumFonts
    [mapFont, 'iiiiiiii'],
    [() => 0, 'iii'], // GetFont
    [
      // GetFontData. Table 0 is the whole file.
      (_info, handle = 0, table = 0, to = 0, room = 0) =>
        table === 0 ? copy(fontOf(handle)?.bytes ?? new Uint8Array(), to, room) : 0,
      'iiiiii',
    ],
    [
      // GetFaceName
      (_info, handle = 0, to = 0, room = 0) => copy(Buffer.from(`${fontOf(handle)?.name ?? ''}\0`), to, room),
      'iiiii',
    ],
    [() => 1, 'iii'], // GetFontCharset: the default
    [() => {}, 'vii'], // DeleteFont
  ]
  const address = wasmExports.malloc(INFO_BYTES)
  setValue(address, VERSION, 'i32')
  for (const [index, [work, signature]] of functions.entries())
    setValue(address + 4 + index * 4, addFunction(work, signature), 'i32')
  pdfium.FPDF_SetSystemFontInfo(address)
}
