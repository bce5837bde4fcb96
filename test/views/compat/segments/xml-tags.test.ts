import { describe } from 'vitest'
import { check } from './check.ts'

describe('plain text', () => {
  check({}, [
    ['is one segment that ends with the response', 'Good evening', ["seg_1 text 'Good evening'"]],
    ['that is empty says nothing', '', []],
    [
      'keeps tags that nobody knows',
      'a <b>bold</b> word & a break<hr/>',
      ["seg_1 text 'a <b>bold</b> word & a break<hr/>'"],
    ],
    ['keeps what began like a tag and never became one', 'look: <write_fi', ["seg_1 text 'look: <write_fi'"]],
    [
      'keeps tags whose names only begin like a known one',
      '<tools name="x">1</tools> <toolbar> <run_bashful>no</run_bashful>',
      ['seg_1 text \'<tools name="x">1</tools> <toolbar> <run_bashful>no</run_bashful>\''],
    ],
    [
      'may hold comparisons before a call',
      'if a < b then <run_bash>ls</run_bash>',
      ["seg_1 text 'if a < b then '", "seg_2 run_bash 'ls'", 'run seg_2 run_bash {"command":"ls"}'],
    ],
  ])
})

describe('tags that are tools', () => {
  check({}, [
    [
      'are opened and never closed: an empty segment that is not complete',
      'now <run_bash>',
      ["seg_1 text 'now '", 'seg_2 run_bash \'\' end {"status":"incomplete"}'],
    ],
    [
      'show a file by its path and its content',
      'Here:<write_file path="/app/b.py">b = 2</write_file> done',
      [
        "seg_1 text 'Here:'",
        'seg_2 write_file {"path":"/app/b.py"} \'b = 2\'',
        "seg_3 text ' done'",
        'run seg_2 write_file {"path":"/app/b.py","content":"b = 2"}',
      ],
    ],
    [
      'take either kind of quotes',
      "Here:<write_file path='/app/b.py'>b = 2</write_file> done",
      [
        "seg_1 text 'Here:'",
        'seg_2 write_file {"path":"/app/b.py"} \'b = 2\'',
        "seg_3 text ' done'",
        'run seg_2 write_file {"path":"/app/b.py","content":"b = 2"}',
      ],
    ],
    [
      'may have white space before their brackets',
      '<write_file path="/q" >Q</write_file\n>R',
      [
        'seg_1 write_file {"path":"/q"} \'Q\'',
        "seg_2 text 'R'",
        'run seg_1 write_file {"path":"/q","content":"Q"}',
      ],
    ],
    [
      'are text up to their closer if they lack their path',
      '<write_file pth="/q"><run_bash>ls</run_bash></write_file>R',
      ['seg_1 text \'<write_file pth="/q"><run_bash>ls</run_bash></write_file>R\''],
    ],
    [
      'are text up to their closer if they have no attributes either',
      '<write_file><run_bash>ls</run_bash></write_file>R',
      ["seg_1 text '<write_file><run_bash>ls</run_bash></write_file>R'"],
    ],
    [
      'are written in any case, at both ends',
      '<Write_File path="/q">Q</WRITE_file>R',
      [
        'seg_1 write_file {"path":"/q"} \'Q\'',
        "seg_2 text 'R'",
        'run seg_1 write_file {"path":"/q","content":"Q"}',
      ],
    ],
    [
      'are text where the path is missing',
      '<write_file encoding="utf8">B</write_file>',
      ['seg_1 text \'<write_file encoding="utf8">B</write_file>\''],
    ],
    [
      'are closed by nothing but their closer',
      '<write_file path="/n">x</y> </write_file </write_fileX></write_file>',
      [
        'seg_1 write_file {"path":"/n"} \'x</y> </write_file </write_fileX>\'',
        'run seg_1 write_file {"path":"/n","content":"x</y> </write_file </write_fileX>"}',
      ],
    ],
    [
      'hold a file as it is, entities and line breaks included',
      '<write_file path="/i.html">\n<p>&lt;</p><!-- -->\n</write_file>',
      [
        'seg_1 write_file {"path":"/i.html"} \'\\n<p>&lt;</p><!-- -->\\n\'',
        'run seg_1 write_file {"path":"/i.html","content":"\\n<p>&lt;</p><!-- -->\\n"}',
      ],
    ],
    [
      'may stand side by side, with no segment between them',
      '<write_file path="/m">1</write_file><write_file path="/n">2</write_file>',
      [
        'seg_1 write_file {"path":"/m"} \'1\'',
        'seg_2 write_file {"path":"/n"} \'2\'',
        'run seg_1 write_file {"path":"/m","content":"1"}',
        'run seg_2 write_file {"path":"/n","content":"2"}',
      ],
    ],
    [
      'keep the line breaks of a command',
      '<run_bash>\nfree -m\n</run_bash>',
      ["seg_1 run_bash '\\nfree -m\\n'", 'run seg_1 run_bash {"command":"\\nfree -m\\n"}'],
    ],
    [
      'read what a command needs from attributes, and nothing else',
      '<run_bash timeoutSeconds="7" colour="red" background="1" cwd="/tmp">sleep</run_bash>',
      [
        'seg_1 run_bash {"timeout_seconds":7,"background":true,"cwd":"/tmp"} \'sleep\'',
        'run seg_1 run_bash {"timeout_seconds":7,"background":true,"cwd":"/tmp","command":"sleep"}',
      ],
    ],
    [
      'leave out attributes that make no sense',
      '<run_bash timeout_seconds="0" background="perhaps">sleep</run_bash>',
      ["seg_1 run_bash 'sleep'", 'run seg_1 run_bash {"command":"sleep"}'],
    ],
    [
      'are cut off: the command is shown, and not run',
      '<run_bash>rm -rf /tm',
      ['seg_1 run_bash \'rm -rf /tm\' end {"status":"incomplete"}'],
    ],
    [
      'are cut off inside the closer, which is then shown',
      '<run_bash>ls</run',
      ['seg_1 run_bash \'ls</run\' end {"status":"incomplete"}'],
    ],
    ['are not run if the command is empty', '<run_bash></run_bash>', ["seg_1 run_bash ''"]],
    [
      'have attributes with a > or a quote in them',
      '<write_file basepath="z" path="it\'s > that.txt">c</write_file>',
      [
        'seg_1 write_file {"path":"it\'s > that.txt"} \'c\'',
        'run seg_1 write_file {"path":"it\'s > that.txt","content":"c"}',
      ],
    ],
    [
      'keep letters that change their length in lower case',
      '<write_file path="/u">İİ</write_file>!!',
      [
        'seg_1 write_file {"path":"/u"} \'İİ\'',
        "seg_2 text '!!'",
        'run seg_1 write_file {"path":"/u","content":"İİ"}',
      ],
    ],
    [
      'show what may have become an entity when they are cut off',
      '<run_bash>ls &am',
      ['seg_1 run_bash \'ls &am\' end {"status":"incomplete"}'],
    ],
    [
      'decode the entities of a command, once',
      '<run_bash>a &amp;&amp; b &amp;lt;</run_bash>',
      ["seg_1 run_bash 'a && b &lt;'", 'run seg_1 run_bash {"command":"a && b &lt;"}'],
    ],
    [
      'fail if their content is an attribute, too',
      '<write_file path="/p" content="x"/>',
      [
        'seg_1 write_file {"path":"/p"} \'\' end {"path":"/p","status":"failed","error":"The argument \'content\' is an attribute, which this format does not read."}',
      ],
    ],
    [
      'fail if their content is an attribute under its other name',
      '<run_bash cmd="ls">who</run_bash>',
      [
        'seg_1 run_bash \'who\' end {"status":"failed","error":"The argument \'cmd\' is an attribute, which this format does not read."}',
      ],
    ],
    [
      'take no attribute for an argument that is only called like something in the language',
      '<run_bash constructor="5">who</run_bash>',
      ["seg_1 run_bash 'who'", 'run seg_1 run_bash {"command":"who"}'],
    ],
  ])
})

describe('tags that are tools with a schema', () => {
  const properties = {
    path: { type: 'string' },
    content: { type: 'string' },
    mode: { type: 'string' },
  } as const
  const tools = [{ name: 'write_file', inputSchema: { type: 'object', properties } as const }]

  check({ tools }, [
    [
      'fail if an argument of it is an attribute that they do not read',
      '<write_file path="/p" mode="append">x</write_file>',
      [
        'seg_1 write_file {"path":"/p"} \'x\' end {"path":"/p","status":"failed","error":"The argument \'mode\' is an attribute, which this format does not read."}',
      ],
    ],
    [
      'read no other attribute',
      '<write_file path="/p" colour="red">x</write_file>',
      ['seg_1 write_file {"path":"/p"} \'x\'', 'run seg_1 write_file {"path":"/p","content":"x"}'],
    ],
  ])
})
