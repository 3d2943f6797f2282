import { expect, test } from 'bun:test'
import { personName, splitFullName } from '../../../src/catalog/model/person-name.ts'

const split = (name: string) => {
  const { firstName, lastName } = splitFullName(name)
  return [firstName, lastName]
}

test('the last word is the last name, what stands before it the first', () => {
  expect(split('Michael Jordan')).toEqual(['Michael', 'Jordan'])
  expect(split('Joe Barry Carroll')).toEqual(['Joe Barry', 'Carroll'])
  expect(split('Elly De La Cruz')).toEqual(['Elly De La', 'Cruz'])
})

test('a suffix stays with the last name', () => {
  expect(split('Ken Griffey Jr.')).toEqual(['Ken', 'Griffey Jr.'])
  expect(split('Ken Griffey, Jr.')).toEqual(['Ken', 'Griffey, Jr.'])
  expect(split('Ken Griffey jr')).toEqual(['Ken', 'Griffey jr'])
  expect(split('Michael Harris II')).toEqual(['Michael', 'Harris II'])
  expect(split('Robert Griffin III')).toEqual(['Robert', 'Griffin III'])
  expect(split('Cal Ripken Sr.')).toEqual(['Cal', 'Ripken Sr.'])
  expect(split('Gary Payton V')).toEqual(['Gary', 'Payton V'])
})

test('a single word is a last name, with or without a suffix', () => {
  expect(split('Ichiro')).toEqual(['', 'Ichiro'])
  expect(split('Acuña Jr.')).toEqual(['', 'Acuña Jr.'])
  expect(split('Jr.')).toEqual(['', 'Jr.'])
  expect(split('   ')).toEqual(['', ''])
})

test('white space of any kind separates words and is kept nowhere', () => {
  expect(split('  Larry \t\u00a0 Bird\n')).toEqual(['Larry', 'Bird'])
  expect(personName(splitFullName(' Larry  Bird '))).toBe('Larry Bird')
  expect(personName(splitFullName('Ichiro'))).toBe('Ichiro')
})
