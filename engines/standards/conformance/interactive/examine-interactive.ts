import type { Examination } from '../examination/examination'
import type { Area } from '../examination/area'
import { examineActions } from './actions'
import { ANNOTATION_RULES, listAnnotations, WIDGET_RULES } from './annotations'
import { examineCatalog } from './catalog'
import { examineForm } from './fields'
import { examineLayers } from './layers'

/** Rules about annotations, actions, forms, layers and presentations. */
export function examineInteractive(examination: Examination): Area {
  examineCatalog(examination)
  if (examination.has(ANNOTATION_RULES))
    for (const { annotation, location } of listAnnotations(examination)) {
      examination.apply(ANNOTATION_RULES, annotation, location)
      if (annotation.subtype === 'Widget') examination.apply(WIDGET_RULES, annotation, location)
    }
  examineActions(examination)
  examineForm(examination)
  examineLayers(examination)
  return {}
}
