import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import ts from 'typescript'
import { isHeldOn, isSingle, keyOf } from '../../../src/gallery/base/keys.ts'
import { LANGUAGES } from '../../../src/gallery/base/text.ts'
import { keyWords } from '../../../src/gallery/text/keys.ts'

const APP = 'src/gallery'

const pressed = (key: string, modifiers: string[] = []) =>
  keyOf({
    key,
    ctrlKey: modifiers.includes('ctrl'),
    metaKey: modifiers.includes('meta'),
    altKey: modifiers.includes('alt'),
    shiftKey: modifiers.includes('shift'),
  })

describe('the name of a key', () => {
  it('has its modifiers, the command key of a Mac as Ctrl', () => {
    assert.equal(pressed('t'), 't')
    assert.equal(pressed('T', ['shift']), 'Shift+T')
    assert.equal(pressed('a', ['ctrl']), 'Ctrl+A')
    assert.equal(pressed('z', ['meta']), 'Ctrl+Z')
    assert.equal(pressed('Z', ['ctrl', 'shift']), 'Ctrl+Shift+Z')
    assert.equal(pressed('ArrowUp', ['ctrl', 'shift']), 'Ctrl+Shift+ArrowUp')
    assert.equal(pressed('Enter', ['alt', 'shift']), 'Alt+Shift+Enter')
    assert.equal(pressed(' '), 'Space')
  })

  it('is a small letter even when capitals are locked', () => {
    assert.equal(pressed('T'), 't')
  })

  it('tells no Shift where keyboards differ in it', () => {
    assert.equal(pressed('?', ['shift']), '?')
    assert.equal(pressed('/', ['shift']), '/')
    assert.equal(pressed('/'), '/')
    assert.equal(pressed('+', ['ctrl']), 'Ctrl++')
  })

  it('is the character alone where a keyboard writes it with Alt', () => {
    assert.equal(pressed('[', ['alt', 'ctrl']), '[')
    assert.equal(pressed(']', ['alt']), ']')
    assert.equal(pressed('t', ['alt']), 'Alt+T')
    assert.equal(pressed('1', ['alt']), 'Alt+1')
  })

  it('tells whether it writes something, so that it can be switched off', () => {
    for (const key of ['t', 'Shift+T', '?', '0', 'Space', 'ä']) assert.ok(isSingle(key), key)
    for (const key of ['Ctrl+A', 'Escape', 'ArrowLeft', 'Delete', 'Alt+T', 'Shift+Enter']) {
      assert.ok(!isSingle(key), key)
    }
  })
})

describe('a key that is held', () => {
  it('goes on only when it moves', () => {
    for (const key of ['ArrowLeft', 'Shift+ArrowDown', 'PageUp', 'Shift+PageDown', '+', '-']) {
      assert.ok(isHeldOn(key), key)
    }
    for (const key of ['Delete', 'Space', 'Ctrl+Z', 'Ctrl+A', 'Enter', '0', 'r', 'Backspace']) {
      assert.ok(!isHeldOn(key), key)
    }
  })
})

/** What browsers keep to themselves, or what their users would miss. */
const TAKEN = ['Ctrl+T', 'Ctrl+N', 'Ctrl+W', 'Ctrl+R', 'Ctrl+L', 'Ctrl+F', 'Ctrl+P', 'Ctrl+C', 'F5']

/** The names of the keys in the calls of `useKeys` in the sources, with their files. */
function usedKeys(): { file: string; key: string }[] {
  const names = readdirSync(APP, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => ({ name, text: readFileSync(join(APP, name), 'utf8') }))
    .filter(({ text }) => text.includes('useKeys('))
    .flatMap(({ name, text }) => {
      const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
      return keysIn(source).map((key) => ({ file: name, key }))
    })
}

function keysIn(node: ts.Node): string[] {
  const isCall = ts.isCallExpression(node) && node.expression.getText() === 'useKeys'
  const keys = isCall && node.arguments[1]
  const own =
    keys && ts.isObjectLiteralExpression(keys)
      ? keys.properties.flatMap(({ name }) => (name && 'text' in name ? [String(name.text)] : []))
      : []
  return [...own, ...node.getChildren().flatMap(keysIn)]
}

describe('the keys of the gallery', () => {
  const features = keyWords(false)

  it('are named as they are pressed', () => {
    for (const { keys } of features) {
      for (const [key] of keys) {
        const parts = key.split(/\+(?=.)/)
        const modifiers = parts.slice(0, -1).map((part) => part.toLowerCase())
        const name = parts.at(-1)!.replace('Space', ' ')
        assert.equal(pressed(name, modifiers), key)
      }
    }
  })

  it('leave browsers theirs', () => {
    const found = features.flatMap(({ keys }) => keys.map(([key]) => key))
    assert.deepEqual(
      found.filter((key) => TAKEN.includes(key)),
      [],
    )
  })

  it('mean the same on every screen when they work on every screen', () => {
    const [everywhere, ...others] = features
    for (const [key] of everywhere!.keys) {
      const clashing = others.filter(({ keys }) => keys.some(([other]) => other === key))
      assert.deepEqual(clashing, [], key)
    }
  })

  it('are only those that change nothing for users who only look', () => {
    const viewer = keyWords(true).find(({ keys }) => keys.some(([key]) => key === 'z'))
    assert.deepEqual(
      viewer?.keys.map(([key]) => key),
      ['ArrowLeft', 'ArrowRight', 'z', '+', '-', 'Space', 'v', 'Shift+Space', 'i', 'd', 'f', 'm'],
    )
  })

  it('are all told of in the sheet of keys', () => {
    const told = new Set(features.flatMap(({ keys }) => keys.map(([key]) => key)))
    assert.deepEqual(
      usedKeys().filter(({ key }) => !told.has(key)),
      [],
    )
    assert.ok(usedKeys().some(({ key }) => key === 'Ctrl+Z'))
  })

  it('are told of by each feature that has words for some', () => {
    const tables = readdirSync(`${APP}/text`).flatMap(
      (name) => readFileSync(`${APP}/text/${name}`, 'utf8').match(/^ +keys: \{/gm) ?? [],
    )
    assert.equal(tables.length, features.length * LANGUAGES.length)
  })
})
