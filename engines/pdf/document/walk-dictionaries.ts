import { PDFArray, PDFDict, PDFStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'

/** Yields all dictionaries inside an object, the outermost first. Doesn't follow references. */
export function* walkDictionaries(object: PDFObject): Generator<PDFDict> {
  const stack: PDFObject[] = [object]
  for (let value = stack.pop(); value; value = stack.pop()) {
    if (value instanceof PDFStream) stack.push(value.dict)
    else if (value instanceof PDFArray) for (let index = 0; index < value.size(); index++) stack.push(value.get(index))
    else if (value instanceof PDFDict) {
      yield value
      for (const item of value.values()) if (item instanceof PDFDict || item instanceof PDFArray) stack.push(item)
    }
  }
}
