import { servePlayground } from '../../../../../lib/playground/serve-playground'

interface Context {
  params: Promise<{ operation: string[] }>
}

export const dynamic = 'force-dynamic'

export async function POST(_request: Request, { params }: Context): Promise<Response> {
  return servePlayground((await params).operation)
}
