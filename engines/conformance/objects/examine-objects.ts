import type { Examination } from '../examination'
import type { Area } from '../validate'

export function examineObjects(_examination: Examination): Area {
  return {}
}
