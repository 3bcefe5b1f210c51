import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import ts from 'typescript'
import { assemble } from '../../../src/web/build.ts'
import { BUNDLE, LINK_BUNDLE } from '../../../src/web/bundle.ts'

const [OPEN, CLOSE] = ['⟦', '⟧']

/** Shows the gallery in a language in which each text of the English page is marked. */
export async function speakPseudo(page: Page, url: string): Promise<void> {
  const marked = {
    name: 'marked',
    setup({ onLoad }: Parameters<(typeof BUNDLE.plugins)[number]['setup']>[0]) {
      onLoad({ filter: /\/gallery\/text\/[\w-]+\.ts$/ }, ({ path }) => {
        const source = readFileSync(path, 'utf8')
        const hasWords = source.endsWith('text({ en, de })\n')
        return { contents: hasWords ? markTexts(source) : source, loader: 'ts' }
      })
    },
  }
  const marking = { ...BUNDLE, plugins: [...BUNDLE.plugins, marked] }
  const gallery = await assemble(await build(marking), await build(LINK_BUNDLE))
  await page.route(`${url}/web/assets/*`, (route) => {
    const { pathname } = new URL(route.request().url())
    const { plain: body, type: contentType } = gallery.assets.get(pathname)!
    return route.fulfill({ body: Buffer.from(body), contentType })
  })
  await page.route(
    (address) => !/^\/(web|api|health)/.test(address.pathname),
    (route) =>
      route.fulfill({ body: Buffer.from(gallery.page.plain), contentType: gallery.page.type }),
  )
}

/** Returns the source of a file of words with marks around each of its texts. */
function markTexts(source: string): string {
  const file = ts.createSourceFile('words.ts', source, ts.ScriptTarget.Latest, true)
  const mark: ts.TransformerFactory<ts.SourceFile> = (context) => {
    const { factory } = context
    const visit = (node: ts.Node): ts.Node => {
      if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return node
      if (ts.isPropertyAssignment(node)) {
        const value = ts.visitNode(node.initializer, visit) as ts.Expression
        return factory.updatePropertyAssignment(node, node.name, value)
      }
      if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
        return factory.createStringLiteral(OPEN + node.text + CLOSE)
      }
      if (ts.isTemplateHead(node)) return factory.createTemplateHead(OPEN + node.text)
      if (ts.isTemplateTail(node)) return factory.createTemplateTail(node.text + CLOSE)
      return ts.visitEachChild(node, visit, context)
    }
    return (root) => ts.visitEachChild(root, visit, context)
  }
  const { transformed } = ts.transform(file, [mark])
  return ts.createPrinter().printFile(transformed[0]!)
}

/** Returns each text that can be read or heard in the page and isn't marked, in part or whole. */
export function unmarkedTexts(page: Page): Promise<string[]> {
  return page.evaluate(
    ([open, close]) => {
      const texts: string[] = [document.title]
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        if (!walker.currentNode.parentElement!.closest('noscript')) {
          texts.push(walker.currentNode.textContent!)
        }
      }
      for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt']) {
        for (const element of document.querySelectorAll(`[${name}]`)) {
          texts.push(element.getAttribute(name)!)
        }
      }
      const inner = new RegExp(`${open}[^${open}${close}]*${close}`, 'g')
      const bare = (text: string): string => {
        const less = text.replaceAll(inner, ' ')
        return less === text ? text : bare(less)
      }
      return [...new Set(texts.map(bare))].filter((text) => /\p{L}/u.test(text))
    },
    [OPEN, CLOSE] as const,
  )
}
