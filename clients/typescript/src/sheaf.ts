export { type ClientSettings } from './client.js'
export {
  type Problem,
  SheafApiError,
  SheafConnectionError,
  SheafError,
  SheafForeignResponseError,
  SheafTimeoutError,
} from './errors.js'
export type { FileByUrl, FileContent, FileInput, FileOption } from './files.js'
export * from './operations.js'
export { SheafResult } from './result.js'
export type { RequestSettings } from './send.js'
