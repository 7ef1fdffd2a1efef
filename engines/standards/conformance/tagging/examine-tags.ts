import type { Examination } from '../examination/examination'
import type { Area } from '../examination/area'
import { examineAnnotations } from './examine-annotations'
import { examineStructure } from './examine-structure'
import { examineCatalog } from './document-rules'
import { examineMediaClips } from './media-clips'
import { StructureTree } from './structure-tree'
import { TaggedContent } from './tagged-content'

/**
 * Examines tagging for PDF/UA-1: structure, content, annotations and languages (ISO 14289-1, 7). PDF/A at levels b and u
 * has no rules on tags.
 */
export function examineTags(examination: Examination): Area {
  if (examination.profile.family !== 'pdfua-1') return {}
  const tree = StructureTree.read(examination.document)
  examineCatalog(examination)
  if (tree) examineStructure(examination, tree)
  examineAnnotations(examination, tree)
  examineMediaClips(examination)
  const listener = new TaggedContent(examination, tree)
  return { listener, finish: isComplete => listener.finish(isComplete) }
}
