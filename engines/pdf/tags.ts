export { renameElementIds } from './tags/rename-ids'
export { isStandardType } from './tags/structure-types'
export { tagForms } from './tags/tag-forms'
