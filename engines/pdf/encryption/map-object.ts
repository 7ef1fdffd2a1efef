import { PDFArray, PDFDict, PDFHexString, PDFRawStream, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import * as Name from '../syntax/names'

/** Encrypts or decrypts the parts of one object. */
export interface ObjectCipher {
  string(bytes: Uint8Array): Uint8Array
  stream(bytes: Uint8Array, dict: PDFDict): Uint8Array
}

/** Applies a cipher to all strings of an object and to the data of a stream. Changes the object and returns it. */
export function mapObject(object: PDFObject, cipher: ObjectCipher): PDFObject {
  if (object instanceof PDFRawStream) {
    mapStrings(object.dict, cipher)
    return PDFRawStream.of(object.dict, cipher.stream(object.contents, object.dict))
  }
  return mapStrings(object, cipher)
}

function mapStrings(object: PDFObject, cipher: ObjectCipher): PDFObject {
  if (object instanceof PDFString || object instanceof PDFHexString)
    return PDFHexString.of(Buffer.from(cipher.string(object.asBytes())).toString('hex'))
  if (object instanceof PDFArray) {
    for (let index = 0; index < object.size(); index++) object.set(index, mapStrings(object.get(index), cipher))
  } else if (object instanceof PDFDict) {
    // The signature itself isn't encrypted, because it covers the encrypted file (ISO 32000-2, 7.6.2).
    const isSignature = object.has(Name.ByteRange) && object.has(Name.Contents)
    for (const [key, value] of object.entries())
      if (!isSignature || key !== Name.Contents) object.set(key, mapStrings(value, cipher))
  }
  return object
}
