import { readFile } from 'node:fs/promises'
import { init } from '@embedpdf/pdfium'
import type { WrappedPdfiumModule } from '@embedpdf/pdfium'
import { findPackageFile } from '../package-file'

export type Pdfium = WrappedPdfiumModule

let opened: Promise<Pdfium> | undefined

/** PDFium, compiled when it is first needed and kept by the process. */
export function openPdfium(): Promise<Pdfium> {
  return (opened ??= compile())
}

/** Leaves a PDFium that has crashed, and its memory, behind; the next one who needs it gets a new one. */
export function abandonPdfium(): void {
  opened = undefined
}

async function compile(): Promise<Pdfium> {
  const wasm = await readFile(findPackageFile('@embedpdf/pdfium/pdfium.wasm'))
  const pdfium = await init({ wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) })
  pdfium.PDFiumExt_Init()
  return pdfium
}

/** PDFium's memory; ask each time, because it moves when it grows. */
export function memoryOf(pdfium: Pdfium): Uint8Array {
  const { HEAPU8 } = pdfium.pdfium as unknown as { HEAPU8: Uint8Array } // the module has it; its types leave it out
  return HEAPU8
}

/**
 * The functions of PDFium's text pages as the module exports them: called for every character, the wrappers cost more
 * than the work.
 */
export interface TextFunctions {
  FPDFText_CountChars(text: number): number
  FPDFText_GetUnicode(text: number, index: number): number
  FPDFText_IsGenerated(text: number, index: number): number
  FPDFText_GetFontSize(text: number, index: number): number
  FPDFText_GetCharBox(text: number, index: number, left: number, right: number, bottom: number, top: number): number
  FPDFText_GetLooseCharBox(text: number, index: number, rectangle: number): number
  FPDFText_GetMatrix(text: number, index: number, matrix: number): number
  FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number
}

/** PDFium's functions of text pages. */
export function textFunctionsOf(pdfium: Pdfium): TextFunctions {
  return pdfium.pdfium.wasmExports as unknown as TextFunctions // the module exports these, as its version was seen to
}
