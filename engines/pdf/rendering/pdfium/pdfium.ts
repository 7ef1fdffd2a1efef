import { readFile } from 'node:fs/promises'
import { init } from '@embedpdf/pdfium'
import type { WrappedPdfiumModule } from '@embedpdf/pdfium'
import { findPackageFile } from '../../../installed-package'
import { installFontMapper } from './font-mapper'

export type Pdfium = WrappedPdfiumModule

let opened: Promise<Pdfium> | undefined

/** Returns PDFium. Compiles it on first use and keeps it for the life of the process. */
export function openPdfium(): Promise<Pdfium> {
  return (opened ??= compile())
}

/** Drops a crashed PDFium and its memory. The next call of `openPdfium` creates a new one. */
export function abandonPdfium(): void {
  opened = undefined
}

async function compile(): Promise<Pdfium> {
  const wasm = await readFile(findPackageFile('@embedpdf/pdfium/pdfium.wasm'))
  const pdfium = await init({ wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) })
  pdfium.PDFiumExt_Init()
  installFontMapper(pdfium)
  return pdfium
}

/** A view of PDFium's memory. Don't keep the view, because the buffer changes when it grows. */
export function memoryOf(pdfium: Pdfium): Uint8Array {
  const { HEAPU8 } = pdfium.pdfium as unknown as { HEAPU8: Uint8Array } // missing in the module's types
  return HEAPU8
}

/**
 * PDFium's text functions as the module exports them. Sheaf calls these for every character, and their wrappers would
 * take longer than the functions.
 */
export interface TextFunctions {
  FPDFText_CountChars(text: number): number
  FPDFText_GetUnicode(text: number, index: number): number
  FPDFText_GetTextObject(text: number, index: number): number
  FPDFText_HasUnicodeMapError(text: number, index: number): number
  FPDFText_IsGenerated(text: number, index: number): number
  FPDFText_GetFontSize(text: number, index: number): number
  FPDFText_GetCharBox(text: number, index: number, left: number, right: number, bottom: number, top: number): number
  FPDFText_GetLooseCharBox(text: number, index: number, rectangle: number): number
  FPDFText_GetMatrix(text: number, index: number, matrix: number): number
  FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number
}

/** PDFium's text functions without wrappers. */
export function textFunctionsOf(pdfium: Pdfium): TextFunctions {
  return pdfium.pdfium.wasmExports as unknown as TextFunctions // the installed version exports these
}
