import { describe, expect, it } from 'vitest'
import { integerOf, isExact, isHeld, jsonNumber } from '../../../src/values/numbers/exact.ts'

describe('a number that was written', () => {
  it.each<[lexeme: string, isExact: boolean, isHeld: boolean]>([
    ['0', true, true],
    ['0.00', true, true],
    ['0e5', true, true],
    ['1.50', true, true],
    ['-15e-1', true, true],
    ['+1.5', true, true],
    ['100E-2', true, true],
    ['0.00150e+3', true, true],
    ['123456789012345', true, true],
    ['9007199254740992', true, true],
    ['9007199254740993', false, false],
    ['-9007199254740993', false, false],
    ['12345678901234567890', false, false],
    ['100000000000000000000', true, true],
    ['1e21', true, true],
    ['1e999', false, false],
    ['-1e-400', false, false],
    [`1${'0'.repeat(400)}`, false, false],
    ['Infinity', true, true],
    ['+Infinity', true, true],
    ['0.10000000000000001', false, true],
    ['-1.0000000000000001e-1', false, true],
    ['0.1000000000000000055511151231257827021181583404541015625', false, true],
    ['19.99999999999999999999', false, false],
    ['0.1000000000000000000001', false, false],
  ])('%s is its value: %s; or that value rounded: %s', (lexeme, exact, held) => {
    expect([isExact(lexeme, Number(lexeme)), isHeld(lexeme, Number(lexeme))]).toEqual([exact, held])
  })

  it('is held with as many digits as the platform gives', () => {
    const value = 2 ** -400
    const hundred = value.toPrecision(100)
    expect(isHeld(hundred, value)).toBe(true)
    expect(isHeld(hundred.replace('e', '1e'), value)).toBe(false)
  })

  it.each([
    ['0e0', 5],
    ['9007199254740992', 5],
    ['1e1', -0],
  ])('%s is no other number', (lexeme, value) => {
    expect([isExact(lexeme, value), isHeld(lexeme, value)]).toEqual([false, false])
  })
})

describe('an integer', () => {
  it.each<[lexeme: string, integer: bigint | undefined]>([
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['+7', 7n],
    ['0', 0n],
    ['-0.0', 0n],
    ['1e3', 1000n],
    ['1.50E1', 15n],
    ['150e-1', 15n],
    ['1200', 1200n],
    ['1e400', 10n ** 400n],
    ['1e401', undefined],
    ['1.5', undefined],
    ['1e-1', undefined],
  ])('%s has all its digits', (lexeme, integer) => {
    expect(integerOf(lexeme)).toBe(integer)
  })
})

describe('a decimal number', () => {
  it.each([
    ['+.5', '0.5'],
    ['-.5e-3', '-0.5e-3'],
    ['007', '7'],
    ['-007.50', '-7.50'],
    ['000', '0'],
    ['5.', '5'],
    ['0.0', '0.0'],
    ['1E+5', '1E+5'],
    ['10', '10'],
  ])('%s is %s in JSON', (decimal, json) => {
    expect(jsonNumber(decimal)).toBe(json)
  })
})
