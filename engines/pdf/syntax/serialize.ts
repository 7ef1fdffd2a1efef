import { PDFArray, PDFDict, PDFNumber, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { characterClass, DELIMITER, INTEGER_LIMIT } from './syntax'

/**
 * Serializes an object as Latin-1 text, without unneeded white space. References to severed objects become null. In
 * dictionaries, their keys are removed. pdf-lib's own serializer puts every entry on a line of its own, which makes
 * files larger. Integers of more than 64 bits become reals, because some readers reject files with such integers (ISO
 * 32000-1, 7.3.3). The parser limits the nesting.
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

/** Joins tokens with spaces where they would otherwise run together. */
class Tokens {
  readonly parts: string[] = []
  private endsRegular = false

  add(token: string): void {
    if (this.endsRegular && characterClass[token.charCodeAt(0)] !== DELIMITER) this.parts.push(' ')
    this.parts.push(token)
    // The empty name ends with its slash, so that the next token would become part of the name.
    this.endsRegular = token === '/' || characterClass[token.charCodeAt(token.length - 1)] !== DELIMITER
  }
}
