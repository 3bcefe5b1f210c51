import { parseXml, XmlElement } from '@rgrove/parse-xml'
import type { Context } from 'hono'
import { invalid } from '../base/errors.ts'
import { createPace, JSON_WAIT } from '../http/clients/pace.ts'
import type { AppEnv } from '../http/env.ts'
import { decode, readBody } from '../http/validate.ts'

// Bytes of a request's XML.
const LONGEST = 64 * 1024
// Elements in one another; clients send five.
const DEEPEST = 20
// Characters that an answer about one entry may need for the names it was asked for, each with its namespace: a
// namespace is sent once, and a name once, but answered for each name and each entry.
const LONGEST_NAMES = 16 * 1024
/** The namespace of WebDAV's own elements (RFC 4918). */
export const DAV = 'DAV:'

/** The name of an element: its namespace, which is empty where it has none, and what is local to it. */
export interface XmlName {
  space: string
  local: string
}

/** An element of a request. */
export interface XmlNode extends XmlName {
  /** With the white space around it cut. */
  text: string
  children: () => XmlNode[]
}

/**
 * Returns the root element of a body of at most 64 KiB, or null when there is none. Throws a validation error for
 * anything but XML with namespaces.
 */
export async function readXmlBody(c: Context<AppEnv>): Promise<XmlNode | null> {
  const text = decode(await readBody(c, LONGEST, createPace(JSON_WAIT)))
  return text.trim() === '' ? null : readXml(text)
}

/** Returns the root element of a text. Throws a validation error for anything but XML with namespaces. */
function readXml(text: string): XmlNode {
  try {
    const { root } = parseXml(text)
    if (!root) throw new Error('There is no root')
    requireShallow(root)
    return nodeOf(root, new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]))
  } catch {
    throw invalid('body', 'must be XML')
  }
}

function requireShallow(root: XmlElement): void {
  let level = [root]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > DEEPEST) throw new Error('It is too deep')
    level = level.flatMap(childrenOf)
  }
}

function childrenOf({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => child instanceof XmlElement)
}

/** Throws a validation error when an answer about one entry would take too much for these names. */
export function requireShort(names: XmlName[]): void {
  let length = 0
  for (const name of names) {
    length += element(name).length
    if (length > LONGEST_NAMES) throw invalid('body', 'asks for too much')
  }
}

function nodeOf(element: XmlElement, outer: Map<string, string>): XmlNode {
  const spaces = spacesIn(element, outer)
  const { name } = element
  const colon = name.indexOf(':')
  const prefix = name.slice(0, Math.max(0, colon))
  const space = spaces.get(prefix)
  // An undeclared prefix would otherwise count as another name.
  if (space === undefined && prefix !== '') throw invalid('body', 'has an unknown prefix')
  const local = name.slice(colon + 1)
  // With two colons, it couldn't be written again.
  if (colon === 0 || local === '' || local.includes(':')) throw invalid('body', 'has a wrong name')
  return {
    space: space ?? '',
    local,
    text: element.text.trim(),
    children: () => childrenOf(element).map((child) => nodeOf(child, spaces)),
  }
}

function spacesIn({ attributes }: XmlElement, outer: Map<string, string>): Map<string, string> {
  const declared = Object.entries(attributes).filter(([name]) => /^xmlns(:|$)/.test(name))
  // There may be many of both.
  if (declared.length === 0) return outer
  const spaces = new Map(outer)
  for (const [name, value] of declared) {
    // Namespaces 1.0 has no way to take a prefix back.
    if (value === '' && name !== 'xmlns')
      throw invalid('body', 'declares a prefix without a namespace')
    spaces.set(name.slice('xmlns:'.length), value)
  }
  return spaces
}

/** Returns whether an element has this name among WebDAV's own. */
export function isDav({ space, local }: XmlName, name: string): boolean {
  return space === DAV && local === name
}

/** Returns the children of an element that have this name among WebDAV's own. */
export function davIn(node: XmlNode, name: string): XmlNode[] {
  return node.children().filter((child) => isDav(child, name))
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Returns a text as XML holds it, between tags or between double quotes. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character]!)
}

/** Returns an element with this content, which is XML; without content, an empty one. */
export function element({ space, local }: XmlName, content = ''): string {
  const [name, declared] =
    space === DAV ? [`D:${local}`, ''] : [local, ` xmlns="${escapeXml(space)}"`]
  return content === '' ? `<${name}${declared}/>` : `<${name}${declared}>${content}</${name}>`
}

/** Returns an element of WebDAV's own with this content, which is XML. */
export function dav(local: string, content = ''): string {
  return element({ space: DAV, local }, content)
}

/** Returns the beginning of a document with this root, and its end. */
export function documentOf(root: string): [begin: string, end: string] {
  return [`<?xml version="1.0" encoding="utf-8"?>\n<D:${root} xmlns:D="DAV:">`, `</D:${root}>\n`]
}

/** Returns what says of one address which properties it has, and with which status. */
export function response(href: string, propstats: { status: string; props: string[] }[]): string {
  const parts = propstats
    .filter(({ props }) => props.length > 0)
    .map(({ status, props }) =>
      dav('propstat', dav('prop', props.join('')) + dav('status', `HTTP/1.1 ${status}`)),
    )
  // An answer names at least one.
  if (parts.length === 0)
    parts.push('<D:propstat><D:prop/><D:status>HTTP/1.1 200 OK</D:status></D:propstat>')
  return dav('response', dav('href', escapeXml(href)) + parts.join(''))
}

/** The type of an answer in XML. */
export const XML_TYPE = 'application/xml; charset=utf-8'
