export { saveDocument } from './open-save/save'
export { trimStreams } from './writer/trim-streams'
export type { WrittenFile } from './writer/written-file'
