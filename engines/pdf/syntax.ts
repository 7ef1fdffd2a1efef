export { ARRAY, DICTIONARY, HEX, LITERAL, MAX_OPERANDS, NAME, NUMBER, readName } from './syntax/content-operands'
export type { Operands } from './syntax/content-operands'
export { CONTENT_OPERATORS, PATH_PAINTING_OPERATORS, TEXT_SHOWING_OPERATORS } from './syntax/content-operators'
export { ContentReader } from './syntax/content-reader'
export { EntryReader } from './syntax/dictionary-bytes'
export { writeNumber, writeNumbers, writeRounded } from './syntax/number-text'
export { Parser, streamKeyword } from './syntax/parser'
export { stringEnd } from './syntax/scanner'
export { serialize } from './syntax/serialize'
export {
  DELIMITER,
  DIGIT,
  ObjectHeader,
  WHITE,
  asBuffer,
  characterClass,
  isAt,
  isDigit,
  isRegular,
  isWhite,
  readInteger,
  skipSpace,
} from './syntax/syntax'
export { readText, readTextBytes, readTextLine, writeText } from './syntax/text-string'
