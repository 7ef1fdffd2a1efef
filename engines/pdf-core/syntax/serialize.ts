import { PDFArray, PDFDict, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { characterClass, INTEGER_LIMIT } from './syntax'

/**
 * The text of an object without needless white space, as Latin-1. References to severed objects become null, in
 * dictionaries their keys go. Ours because pdf-lib puts every entry on a line of its own, which makes files grow.
 * Integers of more than 64 bits become reals, as readers take them (ISO 32000-1, 7.3.3); some give up the file where
 * one is met. Nesting is bounded by the parser.
 */
export function serialize(object: PDFObject, isSevered: (number: number) => boolean): string {
  const text = new Tokens()
  write(object, text, isSevered)
  return text.parts.join('')
}

function write(object: PDFObject, text: Tokens, isSevered: (number: number) => boolean): void {
  if (object instanceof PDFDict) {
    text.add('<<')
    for (const [key, value] of object.entries()) {
      if (value instanceof PDFRef && isSevered(value.objectNumber)) continue
      text.add(key.toString())
      write(value, text, isSevered)
    }
    text.add('>>')
  } else if (object instanceof PDFArray) {
    text.add('[')
    for (let index = 0; index < object.size(); index++) write(object.get(index), text, isSevered)
    text.add(']')
  } else if (object instanceof PDFRef) {
    text.add(isSevered(object.objectNumber) ? 'null' : object.tag)
  } else if (object instanceof PDFNumber && Math.abs(object.asNumber()) >= INTEGER_LIMIT) {
    text.add(`${object.toString()}.0`)
  } else {
    text.add(object.toString())
  }
}

/** Tokens with a blank between two of them where they would run together. */
class Tokens {
  readonly parts: string[] = []
  private endsRegular = false

  add(token: string): void {
    if (this.endsRegular && characterClass[token.charCodeAt(0)] !== 2) this.parts.push(' ')
    this.parts.push(token)
    // The empty name ends with its slash, which would swallow what follows.
    this.endsRegular = token === '/' || characterClass[token.charCodeAt(token.length - 1)] !== 2
  }
}
