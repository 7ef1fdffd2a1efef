import { PDFNumber } from 'pdf-lib'
import type { PDFArray, PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import { mapBox } from './frame'
import type { Box, Matrix } from './frame'

/** A turn of a page's user space by quarters, clockwise, around a box whose lower-left corner stays where it is. */
export class Turn {
  /** From the old user space to the new one. */
  readonly matrix: Matrix
  /** The same without moving anything. */
  readonly linear: Matrix
  /** The box around which is turned, in the new user space. */
  readonly turned: Box

  /** `degrees`: 90, 180 or 270. */
  constructor(readonly degrees: number, { x, y, width, height }: Box) {
    const [right, top] = [x + width, y + height]
    if (degrees === 90) this.matrix = [0, -1, 1, 0, x - y, y + right]
    else if (degrees === 180) this.matrix = [-1, 0, 0, -1, x + right, y + top]
    else this.matrix = [0, 1, -1, 0, x + top, y - x]
    const [a, b, c, d] = this.matrix
    this.linear = [a, b, c, d, 0, 0]
    this.turned = this.box({ x, y, width, height })
  }

  /** Whether width and height change places. */
  get isQuarter(): boolean {
    return this.degrees !== 180
  }

  point(x: number, y: number): [number, number] {
    const [a, b, c, d, e, f] = this.matrix
    return [a * x + c * y + e, b * x + d * y + f]
  }

  box(box: Box): Box {
    return mapBox(this.matrix, box)
  }

  /** An array of coordinates, x and y in turn; undefined when it is none. */
  points(document: PdfDocument, value: PDFObject | undefined): PDFArray | undefined {
    const numbers = document.peekArray(value)?.asArray().map(item => document.peekNumber(item))
    if (!numbers) return undefined
    const turned: number[] = []
    for (let at = 0; at + 1 < numbers.length; at += 2) turned.push(...this.point(numbers[at] ?? 0, numbers[at + 1] ?? 0))
    return writeNumbers(document, turned)
  }
}

/** The matrix that does what `first` does and then what `second` does. */
export function multiply(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first
  const [g, h, i, j, k, l] = second
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l]
}

/** The matrix that an array of six numbers means; the one that changes nothing when it is none. */
export function readMatrix(document: PdfDocument, value: PDFObject | undefined): Matrix {
  const numbers = document.peekArray(value)?.asArray().map(item => document.peekNumber(item) ?? 0)
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers?.length === 6 ? numbers : []
  return [a, b, c, d, e, f]
}

/** Numbers as PDF writes them, to a millionth. */
export function writeNumbers(document: PdfDocument, numbers: number[]): PDFArray {
  return document.context.obj(numbers.map(number => PDFNumber.of(Math.round(number * 1_000_000) / 1_000_000 || 0)))
}
