export { breaksLevelA, dropPdfaClaim, findDoubtfulClaims, recordRemovedClaims } from './metadata/conformance-claims'
export { MAX_DATE_LENGTH, dateProblem } from './metadata/dates'
export { hasEmbeddedFiles, removeEmbeddedFiles } from './metadata/embedded-files'
export { removeAssociatedFiles, removeObjectMetadata, removeScripts, stripImages } from './metadata/hidden-data'
export { applyMetadata, metadataShape, metadataText } from './metadata/metadata-options'
export {
  INFORMATION_KEYS,
  changeMetadata,
  claimConformance,
  dropClaims,
  readMetadata,
  readXmpPacket,
} from './metadata/metadata'
export { encodeXml, parseXml } from './metadata/xml'
export type { XmlElement } from './metadata/xml'
export { PDFA, PDFUA } from './metadata/xmp-claims'
export type { DescribedProperties, NewClaims } from './metadata/xmp-claims'
export type { MetadataField } from './metadata/xmp'
