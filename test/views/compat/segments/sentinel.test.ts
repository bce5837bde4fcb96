import { describe } from 'vitest'
import { check } from './check.ts'

describe('sentinels', () => {
  check({ strategyOrder: ['sentinel'] }, [
    [
      'stand around a content',
      'p[[SEG_START {"type":"write_file","path":"/t"}]]text[[SEG_END]]q',
      [
        "seg_1 text 'p'",
        'seg_2 write_file {"path":"/t"} \'text\'',
        "seg_3 text 'q'",
        'run seg_2 write_file {"path":"/t","content":"text"}',
      ],
    ],
    [
      'stand around a command as it is, entities included',
      '[[SEG_START {"type":"run_bash"}]]sed s/&lt;/x/[[SEG_END]]',
      ["seg_1 run_bash 'sed s/&lt;/x/'", 'run seg_1 run_bash {"command":"sed s/&lt;/x/"}'],
    ],
    [
      'may call a command by its other name',
      '[[SEG_START {"type":"run_terminal_cmd", "timeout_seconds": 4}]]who[[SEG_END]]',
      [
        'seg_1 run_bash {"timeout_seconds":4} \'who\'',
        'run seg_1 run_bash {"timeout_seconds":4,"command":"who"}',
      ],
    ],
    [
      'may call an argument by its other name',
      '[[SEG_START {"type":"run_bash", "timeoutSeconds": 4}]]who[[SEG_END]]',
      [
        'seg_1 run_bash {"timeoutSeconds":4} \'who\' end {"timeoutSeconds":4,"timeout_seconds":4}',
        'run seg_1 run_bash {"timeout_seconds":4,"command":"who"}',
      ],
    ],
    [
      'may hold the arguments of any tool in the header',
      '[[SEG_START {"type":"tool","tool_name":"f","arguments":{"n":[3,4]}}]][[SEG_END]]',
      ['seg_1 tool_call {"tool_name":"f","arguments":{"n":[3,4]}} \'\'', 'run seg_1 f {"n":[3,4]}'],
    ],
    [
      'may hold the arguments in the header as a text',
      '[[SEG_START {"type":"tool","tool_name":"f","arguments":"{\\"n\\": 3}"}]][[SEG_END]]',
      ['seg_1 tool_call {"tool_name":"f","arguments":"{\\"n\\": 3}"} \'\'', 'run seg_1 f {"n":3}'],
    ],
    [
      'fail if what they have as arguments are none',
      '[[SEG_START {"type":"tool","tool_name":"f","arguments":[3]}]][[SEG_END]]',
      [
        'seg_1 tool_call {"tool_name":"f","arguments":[3]} \'\' end {"tool_name":"f","arguments":[3],"status":"failed","error":"The arguments in the header are not an object."}',
      ],
    ],
    [
      'fail if an argument is both in the header and among its arguments',
      '[[SEG_START {"type":"tool","tool_name":"f","n":3,"arguments":{"n":4}}]][[SEG_END]]',
      [
        'seg_1 tool_call {"tool_name":"f","n":3,"arguments":{"n":4}} \'\' end {"tool_name":"f","n":3,"arguments":{"n":4},"status":"failed","error":"The argument \'n\' appears twice."}',
      ],
    ],
    [
      'may hold brackets in the header',
      '[[SEG_START {"type":"tool","tool_name":"f","arguments":{"n":[[3]]}} ]][[SEG_END]]',
      ['seg_1 tool_call {"tool_name":"f","arguments":{"n":[[3]]}} \'\'', 'run seg_1 f {"n":[[3]]}'],
    ],
    [
      'may hold the arguments in the content, as JSON or as elements',
      '[[SEG_START {"type":"tool","tool_name":"f"}]]{"n": 3}[[SEG_END]][[SEG_START {"type":"tool","tool_name":"f"}]]<n>3</n>[[SEG_END]]',
      [
        'seg_1 tool_call {"tool_name":"f"} \'{"n": 3}\'',
        'seg_2 tool_call {"tool_name":"f"} \'<n>3</n>\'',
        'run seg_1 f {"n":3}',
        'run seg_2 f {"n":"3"}',
      ],
    ],
    [
      'fail if an argument is in the content twice',
      '[[SEG_START {"type":"tool","tool_name":"f"}]]{"n": 3, "n": 4}[[SEG_END]]',
      [
        'seg_1 tool_call {"tool_name":"f"} \'{"n": 3, "n": 4}\' end {"tool_name":"f","status":"failed","error":"The content holds no arguments."}',
      ],
    ],
    [
      'fail if arguments follow those in the header',
      '[[SEG_START {"type":"tool","tool_name":"f","arguments":{"a":1}}]]extra <b>2</b>[[SEG_END]]',
      [
        'seg_1 tool_call {"tool_name":"f","arguments":{"a":1}} \'extra <b>2</b>\' end {"tool_name":"f","arguments":{"a":1},"status":"failed","error":"The call has arguments in its header and a content behind it."}',
      ],
    ],
    [
      'fail if arguments follow an empty object in the header',
      '[[SEG_START {"type":"tool","tool_name":"f","arguments":{}}]]{"a":1}[[SEG_END]]',
      [
        'seg_1 tool_call {"tool_name":"f","arguments":{}} \'{"a":1}\' end {"tool_name":"f","arguments":{},"status":"failed","error":"The call has arguments in its header and a content behind it."}',
      ],
    ],
    [
      'fail if arguments follow nothing in the header',
      '[[SEG_START {"type":"tool","tool_name":"f","arguments":null}]]{"a":1}[[SEG_END]]',
      [
        'seg_1 tool_call {"tool_name":"f","arguments":null} \'{"a":1}\' end {"tool_name":"f","arguments":null,"status":"failed","error":"The call has arguments in its header and a content behind it."}',
      ],
    ],
    [
      'fail if arguments follow an argument in the header',
      '[[SEG_START {"type":"tool","tool_name":"f","a":1}]]<b>2</b>[[SEG_END]]',
      [
        'seg_1 tool_call {"tool_name":"f","a":1} \'<b>2</b>\' end {"tool_name":"f","a":1,"status":"failed","error":"The call has arguments in its header and a content behind it."}',
      ],
    ],
    [
      'fail if an argument has an attribute',
      '[[SEG_START {"type":"tool","tool_name":"f"}]]<a x="1">1</a>[[SEG_END]]',
      [
        'seg_1 tool_call {"tool_name":"f"} \'<a x="1">1</a>\' end {"tool_name":"f","status":"failed","error":"The content holds no arguments."}',
      ],
    ],
    [
      'fail if the element around the arguments has an attribute',
      '[[SEG_START {"type":"tool","tool_name":"f"}]]<arguments mode="dry"><a>1</a></arguments>[[SEG_END]]',
      [
        'seg_1 tool_call {"tool_name":"f"} \'<arguments mode="dry"><a>1</a></arguments>\' end {"tool_name":"f","status":"failed","error":"The content holds no arguments."}',
      ],
    ],
    [
      'keep comments and instructions in an argument',
      '[[SEG_START {"type":"tool","tool_name":"f"}]]<a><?php run(); ?><!-- b --></a>[[SEG_END]]',
      [
        'seg_1 tool_call {"tool_name":"f"} \'<a><?php run(); ?><!-- b --></a>\'',
        'run seg_1 f {"a":"<?php run(); ?><!-- b -->"}',
      ],
    ],
    [
      'fail if a comment stands beside the arguments',
      '[[SEG_START {"type":"tool","tool_name":"f"}]]<a>1</a><!-- b -->[[SEG_END]]',
      [
        'seg_1 tool_call {"tool_name":"f"} \'<a>1</a><!-- b -->\' end {"tool_name":"f","status":"failed","error":"The content holds no arguments."}',
      ],
    ],
    [
      'may have white space behind the arguments in the header',
      '[[SEG_START {"type":"tool","tool_name":"f","arguments":{"a":1}}]]\n[[SEG_END]]',
      ['seg_1 tool_call {"tool_name":"f","arguments":{"a":1}} \'\\n\'', 'run seg_1 f {"a":1}'],
    ],
    [
      'of a kind that nobody knows are text',
      '[[SEG_START {"type":"odd"}]]x[[SEG_END]]',
      ['seg_1 text \'[[SEG_START {"type":"odd"}]]x[[SEG_END]]\''],
    ],
    [
      'of a kind that is only the name of something in the language are text',
      '[[SEG_START {"type":"constructor"}]][[SEG_END]][[SEG_START {"type":"__proto__"}]][[SEG_END]]',
      [
        'seg_1 text \'[[SEG_START {"type":"constructor"}]][[SEG_END]][[SEG_START {"type":"__proto__"}]][[SEG_END]]\'',
      ],
    ],
    [
      'with a header that is no JSON are text',
      '[[SEG_START {what}]]x[[SEG_END]]',
      ["seg_1 text '[[SEG_START {what}]]x[[SEG_END]]'"],
    ],
    [
      'may hold what looks like their end',
      'a [[SEG_START {"type":"run_bash"}]]x[[SEG_ENDx[[[SEG_END]]',
      ["seg_1 text 'a '", "seg_2 run_bash 'x[[SEG_ENDx['", 'run seg_2 run_bash {"command":"x[[SEG_ENDx["}'],
    ],
    [
      'may hold a command in the header, by either name',
      '[[SEG_START {"type":"run_bash","command":"who"}]][[SEG_END]][[SEG_START {"type":"run_bash","cmd":"who"}]][[SEG_END]]',
      [
        'seg_1 run_bash {"command":"who"} \'who\'',
        'seg_2 run_bash {"cmd":"who"} \'who\'',
        'run seg_1 run_bash {"command":"who"}',
        'run seg_2 run_bash {"command":"who"}',
      ],
    ],
    [
      'fail if they hold a command twice',
      '[[SEG_START {"type":"run_bash","command":"who"}]]ls[[SEG_END]]',
      [
        'seg_1 run_bash {"command":"who"} \'who\' end {"command":"who","status":"failed","error":"The argument \'command\' appears twice."}',
      ],
    ],
    [
      'are cut off',
      '[[SEG_START {"type":"run_bash"}]]who[[SEG_E',
      ['seg_1 run_bash \'who[[SEG_E\' end {"status":"incomplete"}'],
    ],
    ['may be no tool at all', '[[SEG_START {"type":"reasoning"}]]hm[[SEG_END]]', ["seg_1 reasoning 'hm'"]],
  ])
})

describe('a sentinel of a tool of a user', () => {
  check({ strategyOrder: ['sentinel'], tools: [{ name: 'look' }] }, [
    [
      'says in its metadata which it is',
      '[[SEG_START {"type":"look","at":"elk"}]][[SEG_END]]',
      ['seg_1 tool_call {"tool_name":"look","at":"elk"} \'\'', 'run seg_1 look {"at":"elk"}'],
    ],
  ])
})
