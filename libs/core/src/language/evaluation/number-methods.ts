import { bare, type MethodTable } from './method.js';
import { finite } from './values.js';

export const NUMBER_METHODS: MethodTable<number> = {
  abs: bare((number) => Math.abs(number)),
  round: bare((number) => finite(Math.round(number))),
  floor: bare((number) => Math.floor(number)),
  ceil: bare((number) => finite(Math.ceil(number))),
  toNumber: bare((number) => number),
  toString: bare((number) => String(number)),
};

export const BOOLEAN_METHODS: MethodTable<boolean> = {
  toString: bare((value) => String(value)),
};
