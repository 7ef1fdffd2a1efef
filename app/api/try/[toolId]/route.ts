import { serveTrial } from '../../../../lib/trial/serve-trial'

interface Context {
  params: Promise<{ toolId: string }>
}

export const dynamic = 'force-dynamic'

export async function POST(_request: Request, { params }: Context): Promise<Response> {
  return serveTrial((await params).toolId)
}
