# ruff: noqa: E501  (a row is one source on one line)
"""What becomes of input, what errors tell, what is left unchecked."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import FASTAPI, FLASK, aiohttp, django

LOAD_POSITIVE = {
    "pickle": FLASK + "import pickle\n@app.post('/x')\ndef x():\n    return pickle.loads(request.data)\n",
    "from-import": FASTAPI + "from pickle import loads\n@app.post('/x')\nasync def x(request: Request):\n    return loads(await request.body())\n",
    "yaml": FLASK + "import yaml\n@app.post('/x')\ndef x():\n    return yaml.load(request.data, Loader=yaml.Loader)\n",
    "yaml-plain": "import yaml\ndef read(text):\n    return yaml.load(text)\n",
    "yaml-unsafe": "import yaml\ndef read(text):\n    return yaml.unsafe_load(text)\n",
    "marshal": "import marshal\ndef read(data):\n    return marshal.loads(data)\n",
    "shelve": "import shelve\ndef read(name):\n    return shelve.open(name)\n",
    "jsonpickle": aiohttp("import jsonpickle\nasync def report(request):\n    return jsonpickle.decode(await request.text())\n", method="post"),
    "dill": "import dill\ndef read(data):\n    return dill.loads(data)\n",
    "numpy": "import numpy\ndef read(name):\n    return numpy.load(name, allow_pickle=True)\n",
}  # fmt: skip
LOAD_POSITIVE |= {
    "ruamel": "from ruamel.yaml import YAML\ndef read(text):\n    return YAML(typ='unsafe').load(text)\n",
    "ruamel-named": "from ruamel.yaml import YAML\ndef read(text):\n    yaml = YAML(typ='unsafe')\n    return yaml.load(text)\n",
    "torch": "import torch\ndef read(name):\n    return torch.load(name)\n",
}  # fmt: skip
LOAD_NEGATIVE = {
    "ruamel": "from ruamel.yaml import YAML\ndef read(text):\n    return YAML(typ='safe').load(text)\n",
    "torch": "import torch\ndef read(name):\n    return torch.load(name, weights_only=True)\n",
    "json": FLASK + "import json\n@app.post('/x')\ndef x():\n    return json.loads(request.data)\n",
    "safe-load": "import yaml\ndef read(text):\n    return yaml.safe_load(text)\n",
    "safe-loader": "import yaml\ndef read(text):\n    return yaml.load(text, Loader=yaml.CSafeLoader)\n",
    "safe-by-place": "import yaml\ndef read(text):\n    return yaml.load(text, yaml.SafeLoader)\n",
    "own-safe-loader": "import yaml\nclass Ours(yaml.SafeLoader):\n    pass\ndef read(text):\n    return yaml.load(text, Loader=Ours)\n",
    "dump": "import pickle\ndef write(value):\n    return pickle.dumps(value)\n",
    "copy": "import pickle\ndef copied(value):\n    return pickle.loads(pickle.dumps(value))\n",
    "numpy": "import numpy\ndef read(name):\n    return numpy.load(name)\n",
    "own-function": "def loads(text):\n    return text\ndef read(text):\n    return loads(text)\n",
}  # fmt: skip

_DB = FASTAPI + "from db import connection\nfrom sqlalchemy import text\n"
SQL_POSITIVE = {
    "f-string": _DB + "@app.get('/x')\ndef x(name: str):\n    return connection.execute(f\"SELECT * FROM t WHERE n = '{name}'\")\n",
    "percent": _DB + "@app.get('/x')\ndef x(name: str):\n    return connection.execute(\"SELECT * FROM t WHERE n = '%s'\" % name)\n",
    "format": _DB + "@app.get('/x')\ndef x(name: str):\n    return connection.execute('DELETE FROM t WHERE n = {}'.format(name))\n",
    "plus": _DB + "@app.get('/x')\ndef x(name: str):\n    query = 'SELECT * FROM t WHERE n = ' + name\n    return connection.execute(query)\n",
    "text": _DB + "@app.get('/x')\ndef x(order: str):\n    return connection.execute(text(f'SELECT * FROM t ORDER BY {order}'))\n",
    "helper": _DB + "def find(name):\n    return connection.execute(f\"SELECT 1 FROM t WHERE n='{name}'\")\n@app.get('/x')\ndef x(name: str):\n    return find(name)\n",
    "django-raw": django("def report(request):\n    return Thing.objects.raw('SELECT * FROM t WHERE n = %s' % request.GET['n'])\n"),
    "flask": FLASK + "@app.get('/x')\ndef x():\n    n = request.args.get('n')\n    cursor.execute('SELECT * FROM t WHERE n = \\'' + n + '\\'')\n    return ''\n",
    "aiohttp": aiohttp("async def report(request):\n    return await db.fetch(f\"SELECT * FROM t WHERE n = '{request.query['n']}'\")\n"),
}  # fmt: skip
SQL_POSITIVE |= {
    "method-query": _DB + "@app.get('/x')\ndef x(order: str = 'id'):\n    return db.query(f'SELECT * FROM t WHERE o = ? ORDER BY {order}', (1,))\n",
    "method-one": _DB + "@app.get('/x')\ndef x(name: str):\n    return db.one(\"SELECT * FROM t WHERE n = '\" + name + \"'\")\n",
    "method-fetch-all": _DB + "@app.get('/x')\ndef x(name: str):\n    return db.fetch_all('SELECT * FROM t WHERE n = {}'.format(name))\n",
    "built-elsewhere": _DB + "def build(order):\n    sql = 'SELECT * FROM t ORDER BY %s'\n    return sql % order\n@app.get('/x')\ndef x(order: str):\n    return db.query(build(order), (1,))\n",
}  # fmt: skip
SQL_NEGATIVE = {
    "bound": _DB + "@app.get('/x')\ndef x(name: str):\n    return connection.execute('SELECT * FROM t WHERE n = ?', (name,))\n",
    "bound-text": _DB + "@app.get('/x')\ndef x(name: str):\n    return connection.execute(text('SELECT * FROM t WHERE n = :n'), {'n': name})\n",
    "constant-table": _DB + "TABLE = 't'\n@app.get('/x')\ndef x(name: str):\n    return connection.execute(f'SELECT * FROM {TABLE} WHERE n = ?', (name,))\n",
    "number": _DB + "@app.get('/x')\ndef x(limit: int):\n    return connection.execute(f'SELECT * FROM t LIMIT {limit}')\n",
    "made-number": FLASK + "@app.get('/x')\ndef x():\n    n = int(request.args['n'])\n    cursor.execute(f'SELECT * FROM t LIMIT {n}')\n    return ''\n",
    "flask-typed": FLASK + "@app.get('/x')\ndef x():\n    n = request.args.get('n', 10, type=int)\n    cursor.execute(f'SELECT * FROM t LIMIT {n}')\n    return ''\n",
    "own-value": _DB + "@app.get('/x')\ndef x():\n    month = now().month\n    return connection.execute(f'SELECT * FROM t_{month}')\n",
    "django-bound": django("def report(request):\n    return Thing.objects.raw('SELECT * FROM t WHERE n = %s', [request.GET['n']])\n"),
    "log": _DB + "@app.get('/x')\ndef x(name: str):\n    log.info(f'select {name} from x')\n    return {}\n",
    "other-execute": _DB + "@app.get('/x')\ndef x(name: str):\n    return runner.execute(f'job {name}')\n",
    "orm-query": _DB + "@app.get('/x')\ndef x(kind: str):\n    return db.query(kind).all()\n",
    "search-text": _DB + "@app.get('/x')\ndef x(name: str):\n    return index.query(f'title:{name}')\n",
    "query-bound": _DB + "@app.get('/x')\ndef x(name: str):\n    return db.query('SELECT * FROM t WHERE n LIKE ?', (f'%{name}%',))\n",
    "built-of-own": _DB + "def build(order):\n    known = {'id': 'id'}[order]\n    return 'SELECT * FROM t ORDER BY ' + known\n@app.get('/x')\ndef x(order: str):\n    return db.query(build(order))\n",
    "chosen-column": _DB + "COLUMNS = {'n': 'name'}\n@app.get('/x')\ndef x(order: str):\n    column = COLUMNS[order]\n    return connection.execute('SELECT * FROM t ORDER BY ' + column)\n",
}  # fmt: skip

_RUN = FASTAPI + "import os\nimport subprocess\n"
COMMAND_POSITIVE = {
    "run": _RUN + "@app.get('/x')\ndef x(name: str):\n    return subprocess.run(f'ls {name}', shell=True)\n",
    "system": _RUN + "@app.get('/x')\ndef x(name: str):\n    os.system('ls ' + name)\n",
    "popen": _RUN + "@app.get('/x')\ndef x(name: str):\n    return subprocess.Popen('ls %s' % name, shell=True)\n",
    "shell-dash-c": _RUN + "@app.get('/x')\ndef x(name: str):\n    return subprocess.run(['sh', '-c', 'ls ' + name])\n",
    "flask": FLASK + "import os\n@app.get('/x')\ndef x():\n    os.popen(request.args['cmd'])\n    return ''\n",
}  # fmt: skip
COMMAND_NEGATIVE = {
    "list": _RUN + "@app.get('/x')\ndef x(name: str):\n    return subprocess.run(['ls', name])\n",
    "quoted": _RUN + "import shlex\n@app.get('/x')\ndef x(name: str):\n    return subprocess.run('ls ' + shlex.quote(name), shell=True)\n",
    "constant": _RUN + "@app.get('/x')\ndef x(name: str):\n    return subprocess.run('ls | wc', shell=True)\n",
    "number": _RUN + "@app.get('/x')\ndef x(n: int):\n    return subprocess.run(f'head -n {n} file', shell=True)\n",
}  # fmt: skip
CODE_POSITIVE = {
    "eval": FASTAPI + "@app.get('/x')\ndef x(of: str):\n    return eval(of)\n",
    "exec": FLASK + "@app.post('/x')\ndef x():\n    exec(request.form['code'])\n    return ''\n",
    "import": FASTAPI + "import importlib\n@app.get('/x')\ndef x(name: str):\n    return importlib.import_module(name)\n",
}  # fmt: skip
CODE_NEGATIVE = {
    "literal": FASTAPI + "import ast\n@app.get('/x')\ndef x(of: str):\n    return ast.literal_eval(of)\n",
    "constant": FASTAPI + "@app.get('/x')\ndef x(of: str):\n    return eval('1 + 1')\n",
    "model-method": FASTAPI + "from ml import model\n@app.get('/x')\ndef x(of: str):\n    model.eval()\n    return {}\n",
    "regex": FASTAPI + "import re\n@app.get('/x')\ndef x(of: str):\n    return bool(re.compile('a').match(of))\n",
}  # fmt: skip
TEMPLATE_POSITIVE = {
    "flask": FLASK + "from flask import render_template_string\n@app.get('/x')\ndef x():\n    return render_template_string(f\"<p>{request.args['n']}</p>\")\n",
    "jinja": FASTAPI + "from jinja2 import Template\n@app.get('/x')\ndef x(n: str):\n    return Template('Hi ' + n).render()\n",
    "environment": FASTAPI + "from jinja2 import Environment\nenv = Environment()\n@app.get('/x')\ndef x(n: str):\n    return env.from_string(n).render()\n",
}  # fmt: skip
TEMPLATE_NEGATIVE = {
    "context": FLASK + "from flask import render_template_string\n@app.get('/x')\ndef x():\n    return render_template_string('{{ n }}', n=request.args['n'])\n",
    "file": FLASK + "from flask import render_template\n@app.get('/x')\ndef x():\n    return render_template('x.html', n=request.args['n'])\n",
    "jinja-constant": FASTAPI + "from jinja2 import Template\nPAGE = Template('Hi {{ n }}')\n@app.get('/x')\ndef x(n: str):\n    return PAGE.render(n=n)\n",
}  # fmt: skip

_TRY = (
    FASTAPI
    + "import traceback\nclass Ours(Exception):\n    pass\n@app.get('/x')\ndef x():\n    try:\n        return load()\n"
)
ERROR_POSITIVE = {
    "detail": _TRY + "    except Exception as error:\n        raise HTTPException(500, detail=str(error))\n",
    "f-string": _TRY + "    except Exception as error:\n        raise HTTPException(500, f'failed: {error}')\n",
    "trace": _TRY + "    except Ours:\n        return JSONResponse({'trace': traceback.format_exc()}, status_code=500)\n",
    "body": _TRY + "    except OSError as error:\n        return {'error': repr(error)}\n",
    "bare-name": _TRY + "    except (Ours, KeyError) as error:\n        message = str(error)\n        return JSONResponse({'m': message}, status_code=500)\n",
    "handler": FASTAPI + "@app.exception_handler(Exception)\nasync def failed(request, exc):\n    return JSONResponse({'detail': str(exc)}, status_code=500)\n",
    "flask": FLASK + "@app.get('/x')\ndef x():\n    try:\n        return load()\n    except Exception as e:\n        return jsonify(error=str(e)), 500\n",
    "flask-handler": FLASK + "@app.errorhandler(500)\ndef failed(e):\n    return str(e), 500\n",
    "django": django("def report(request):\n    try:\n        return load()\n    except Exception as e:\n        return JsonResponse({'e': str(e)}, status=500)\n"),
    "aiohttp": aiohttp("async def report(request):\n    try:\n        return load()\n    except Exception as e:\n        return web.json_response({'e': str(e)}, status=500)\n"),
    "database": FASTAPI + "from sqlalchemy.exc import SQLAlchemyError\n@app.get('/x')\ndef x():\n    try:\n        return load()\n    except SQLAlchemyError as e:\n        raise HTTPException(400, detail=str(e))\n",
}  # fmt: skip
ERROR_NEGATIVE = {
    "own": _TRY + "    except Ours as error:\n        raise HTTPException(404, detail=str(error))\n",
    "logged": _TRY + "    except Exception as error:\n        log.error('x %s', error)\n        raise HTTPException(500, detail='failed')\n",
    "chained": _TRY + "    except Exception as error:\n        raise HTTPException(500, 'failed') from error\n",
    "type-name": _TRY + "    except Exception as error:\n        return {'kind': type(error).__name__}\n",
    "value-error": _TRY + "    except ValueError as error:\n        raise HTTPException(400, str(error))\n",
    "validation": FASTAPI + "from pydantic import ValidationError\n@app.get('/x')\ndef x():\n    try:\n        return load()\n    except ValidationError as e:\n        raise HTTPException(422, e.errors())\n",
    "http-handler": FLASK + "from werkzeug.exceptions import HTTPException\n@app.errorhandler(HTTPException)\ndef failed(e):\n    return jsonify(error=e.description), e.code\n",
    "trace-logged": _TRY + "    except Exception:\n        log.error(traceback.format_exc())\n        raise HTTPException(500)\n",
    "own-handler": FASTAPI + "class Ours(Exception):\n    pass\n@app.exception_handler(Ours)\nasync def failed(request, exc):\n    return JSONResponse({'detail': str(exc)}, status_code=404)\n",
    "other-name": _TRY + "    except Exception as error:\n        raise HTTPException(500, detail='see log')\ndef y(error):\n    return {'error': error}\n",
}  # fmt: skip
DEBUG_POSITIVE = {
    "fastapi": "from fastapi import FastAPI\napp = FastAPI(debug=True)\n",
    "flask-run": "from flask import Flask\napp = Flask(__name__)\nif __name__ == '__main__':\n    app.run(debug=True)\n",
    "flask-set": "from flask import Flask\napp = Flask(__name__)\napp.debug = True\n",
    "django": "DEBUG = True\nINSTALLED_APPS = []\nMIDDLEWARE = []\n",
    "starlette": "from starlette.applications import Starlette\napp = Starlette(debug=True)\n",
}  # fmt: skip
DEBUG_NEGATIVE = {
    "environment": "import os\nfrom flask import Flask\napp = Flask(__name__)\napp.run(debug=bool(os.environ.get('DEBUG')))\n",
    "off": "from fastapi import FastAPI\napp = FastAPI(debug=False)\n",
    "django-off": "import os\nDEBUG = os.environ.get('DEBUG') == '1'\nINSTALLED_APPS = []\n",
    "no-settings": "DEBUG = True\ndef log(text):\n    print(text)\n",
    "other-call": "def show(x, debug):\n    return x\nshow(1, debug=True)\n",
}  # fmt: skip

VERIFY_POSITIVE = {
    "requests": "import requests\ndef f(u):\n    return requests.get(u, verify=False)\n",
    "httpx": "import httpx\nclient = httpx.Client(verify=False)\n",
    "session": "import requests\ndef f(u):\n    s = requests.Session()\n    s.verify = False\n    return s.get(u)\n",
    "ssl": "import ssl\ncontext = ssl._create_unverified_context()\n",
    "cert-none": "import ssl\ndef f():\n    c = ssl.create_default_context()\n    c.verify_mode = ssl.CERT_NONE\n    return c\n",
    "host": "import ssl\ndef f():\n    c = ssl.create_default_context()\n    c.check_hostname = False\n    return c\n",
    "global": "import ssl\nssl._create_default_https_context = ssl._create_unverified_context\n",
    "jwt": "import jwt\ndef f(t):\n    return jwt.decode(t, options={'verify_signature': False})\n",
    "jwt-old": "import jwt\ndef f(t):\n    return jwt.decode(t, verify=False)\n",
    "jwt-none": "import jwt\ndef f(t, k):\n    return jwt.decode(t, k, algorithms=['HS256', 'none'])\n",
    "jose": "from jose import jwt\ndef f(t, k):\n    return jwt.decode(t, k, options={'verify_signature': False})\n",
    "aiohttp": "import aiohttp\nconnector = aiohttp.TCPConnector(ssl=False)\n",
}  # fmt: skip
_TOKEN = FASTAPI + "import base64, json\n"
VERIFY_POSITIVE |= {
    "claims-unpacked": _TOKEN + "def current(request: Request):\n    raw = request.headers.get('Authorization', '').removeprefix('Bearer ')\n    return json.loads(base64.b64decode(raw.split('.')[1]))\n@app.get('/x')\ndef x(user=Depends(current)):\n    return {}\n",
    "cookie-unpacked": FLASK + "import base64, json\n@app.before_request\ndef load():\n    packed = request.cookies.get('session')\n    g.user = json.loads(base64.urlsafe_b64decode(packed + '=='))\n",
    "claims-unverified": FASTAPI + "from jose import jwt\ndef current(authorization: str = Header()):\n    return jwt.get_unverified_claims(authorization)\n@app.get('/x')\ndef x(user=Depends(current)):\n    return {}\n",
}  # fmt: skip
_JWT = "import jwt\ndef f(t, k):\n"
VERIFY_POSITIVE |= {
    "jwt-expiry": "import jwt\ndef f(t, k):\n    return jwt.decode(t, k, algorithms=['RS256'], options={'verify_exp': False})\n",
    "jwt-expiry-by-call": _JWT + "    return jwt.decode(t, k, algorithms=['RS256'], options=dict(verify_exp=False))\n",
    "jwt-expiry-named": "OPTIONS = {'verify_exp': False}\n" + _JWT + "    return jwt.decode(t, k, algorithms=['RS256'], options=OPTIONS)\n",
    "jwt-expiry-beside-a-variable": _JWT + "    return jwt.decode(t, k, algorithms=['RS256'], options={'verify_exp': False, 'require': needed()})\n",
    "jwt-audience": _JWT + "    return jwt.decode(t, k, algorithms=['RS256'], options={'verify_aud': False})\n",
    "jwt-signature-by-call": _JWT + "    return jwt.decode(t, options=dict(verify_signature=False))\n",
    "jwt-own-algorithm": FASTAPI + "import jwt\nfrom settings import KEY\ndef user(authorization: str = Header('')):\n    alg = jwt.get_unverified_header(authorization[7:])['alg']\n    return jwt.decode(authorization[7:], KEY, algorithms=[alg])\n@app.get('/x')\ndef x(u=Depends(user)): return u\n",
    "jwt-two-kinds-of-key": _JWT + "    return jwt.decode(t, k, algorithms=['HS256', 'RS256'])\n",
    "request-words": "import requests\ndef f(u):\n    return requests.request('GET', u, **{'verify': False})\n",
    "urllib3": "import urllib3\npool = urllib3.PoolManager(cert_reqs='CERT_NONE')\n",
    "urllib3-named": "import ssl, urllib3\npool = urllib3.PoolManager(cert_reqs=ssl.CERT_NONE)\n",
    "paramiko": "import paramiko\ndef f():\n    c = paramiko.SSHClient()\n    c.set_missing_host_key_policy(paramiko.AutoAddPolicy())\n    return c\n",
    "ldap": "import ldap\nldap.set_option(ldap.OPT_X_TLS_REQUIRE_CERT, ldap.OPT_X_TLS_NEVER)\n",
}  # fmt: skip
VERIFY_NEGATIVE = {
    "jwt-expiry-on": _JWT + "    return jwt.decode(t, k, algorithms=['RS256'], options={'verify_exp': True, 'require': ['exp']})\n",
    "jwt-expiry-by-hand": _JWT + "    claims = jwt.decode(t, k, algorithms=['RS256'], options={'verify_exp': False})\n    if claims['exp'] < now():\n        raise ValueError\n    return claims\n",
    "jwt-expiry-after-a-strict-look": _JWT + "    try:\n        return jwt.decode(t, k, algorithms=['RS256'])\n    except jwt.ExpiredSignatureError:\n        return renewed(jwt.decode(t, k, algorithms=['RS256'], options={'verify_exp': False}))\n",
    "jwt-one-kind-of-key": _JWT + "    return jwt.decode(t, k, algorithms=['RS256', 'ES256'])\n",
    "jwt-key-by-id": _JWT + "    return jwt.decode(t, key_of(t), algorithms=['HS256', 'RS256'])\n",
    "urllib3": "import urllib3\npool = urllib3.PoolManager(cert_reqs='CERT_REQUIRED')\n",
    "paramiko": "import paramiko\ndef f():\n    c = paramiko.SSHClient()\n    c.set_missing_host_key_policy(paramiko.RejectPolicy())\n    return c\n",
    "ldap": "import ldap\nldap.set_option(ldap.OPT_X_TLS_REQUIRE_CERT, ldap.OPT_X_TLS_DEMAND)\n",
    "signature-compared": _TOKEN + "import hmac\ndef current(request: Request):\n    head, body, sign = request.headers['Authorization'].split('.')\n    if not hmac.compare_digest(sign, signed(head, body)):\n        raise HTTPException(401)\n    return json.loads(base64.b64decode(body))\n@app.get('/x')\ndef x(user=Depends(current)):\n    return {}\n",
    "basic-credentials": _TOKEN + "@app.get('/x')\ndef x(request: Request):\n    name, _, word = base64.b64decode(request.headers['Authorization'][6:]).decode().partition(':')\n    return {'ok': fits(name, word)}\n",
    "page-cursor": _TOKEN + "@app.get('/x')\ndef x(cursor: str = ''):\n    return json.loads(base64.b64decode(cursor))\n",
    "first-look": FASTAPI + "from jose import jwt\ndef current(authorization: str = Header()):\n    kid = jwt.get_unverified_claims(authorization)['kid']\n    return jwt.decode(authorization, KEYS[kid], algorithms=['RS256'])\n@app.get('/x')\ndef x(user=Depends(current)):\n    return {}\n",

    "requests": "import requests\ndef f(u):\n    return requests.get(u)\n",
    "bundle": "import requests\ndef f(u):\n    return requests.get(u, verify='own.pem')\n",
    "on": "import httpx\nclient = httpx.Client(verify=True)\n",
    "jwt": "import jwt\ndef f(t, k):\n    return jwt.decode(t, k, algorithms=['RS256'])\n",
    "jwt-key-id": "import jwt\ndef f(t, ks):\n    k = jwt.decode(t, options={'verify_signature': False})['kid']\n    return jwt.decode(t, ks[k], algorithms=['RS256'])\n",
    "other-verify": "def check(x, verify):\n    return x\ncheck(1, verify=False)\n",
    "required": "import ssl\ndef f():\n    c = ssl.create_default_context()\n    c.verify_mode = ssl.CERT_REQUIRED\n    return c\n",
    "own-member": "class Form:\n    def __init__(self):\n        self.verify = False\n",
}  # fmt: skip
CORS_POSITIVE = {
    "fastapi": "from fastapi import FastAPI\nfrom fastapi.middleware.cors import CORSMiddleware\napp = FastAPI()\napp.add_middleware(CORSMiddleware, allow_origins=['*'], allow_credentials=True)\n",
    "regex": "from fastapi import FastAPI\nfrom starlette.middleware.cors import CORSMiddleware\napp = FastAPI()\napp.add_middleware(CORSMiddleware, allow_origin_regex='.*', allow_credentials=True)\n",
    "flask": "from flask import Flask\nfrom flask_cors import CORS\napp = Flask(__name__)\nCORS(app, supports_credentials=True)\n",
    "django": "CORS_ALLOW_ALL_ORIGINS = True\nCORS_ALLOW_CREDENTIALS = True\n",
    "named": "from fastapi import FastAPI\nfrom fastapi.middleware.cors import CORSMiddleware\nORIGINS = ['*']\napp = FastAPI()\napp.add_middleware(CORSMiddleware, allow_origins=ORIGINS, allow_credentials=True)\n",
}  # fmt: skip
CORS_NEGATIVE = {
    "no-credentials": "from fastapi import FastAPI\nfrom fastapi.middleware.cors import CORSMiddleware\napp = FastAPI()\napp.add_middleware(CORSMiddleware, allow_origins=['*'])\n",
    "named-origin": "from fastapi import FastAPI\nfrom fastapi.middleware.cors import CORSMiddleware\napp = FastAPI()\napp.add_middleware(CORSMiddleware, allow_origins=['https://shop.example'], allow_credentials=True)\n",
    "flask-origin": "from flask import Flask\nfrom flask_cors import CORS\napp = Flask(__name__)\nCORS(app, origins=['https://shop.example'], supports_credentials=True)\n",
    "flask-open": "from flask import Flask\nfrom flask_cors import CORS\napp = Flask(__name__)\nCORS(app)\n",
    "django": "CORS_ALLOW_ALL_ORIGINS = True\nCORS_ALLOW_CREDENTIALS = False\n",
}  # fmt: skip

_KEY = "wJ8r" + "Qz5L" + "x2Vn" + "7TbK" + "p4Hs"
SECRET_POSITIVE = {
    "compared": f'def f(api_key):\n    return api_key == "{_KEY}"\n',
    "compared-safely": f'import hmac\ndef f(api_key):\n    return hmac.compare_digest(api_key, "{_KEY}")\n',
    "name": f'API_SECRET = "{_KEY}"\n',
    "annotated": f'SECRET_KEY: str = "{_KEY}"\n',
    "argument": f'client = connect(password="{_KEY}")\n',
    "member": f'SETTINGS = {{"client_secret": "{_KEY}"}}\n',
    "vendor": 'AWS = "' + "AKIA" + "Q3EGRT7UXW2MPLND" + '"\n',
    "url": 'DATABASE = "postgresql://app:' + _KEY + '@db.example.org/app"\n',
    "comment": f'# api_secret = "{_KEY}"\nX = 1\n',
}  # fmt: skip
SECRET_POSITIVE |= {
    "token-key": f'from jose import jwt\nKEY = "{_KEY}"\ndef f(raw):\n    return jwt.decode(raw, KEY, algorithms=["HS256"])\n',
    "key-written-there": f'import jwt\ndef f(claims):\n    return jwt.encode(claims, "{_KEY}", algorithm="HS256")\n',
    "key-of-bytes": f'import hmac\nPEPPER = b"{_KEY}"\ndef f(text):\n    return hmac.new(PEPPER, text, "sha256").hexdigest()\n',
    "key-encoded": f'import hmac\nSALT = "{_KEY}"\ndef f(text):\n    return hmac.new(SALT.encode(), text, "sha256")\n',
    "signer": f'from itsdangerous import URLSafeTimedSerializer\nPHRASE = "{_KEY}"\nsigned = URLSafeTimedSerializer(PHRASE)\n',
}  # fmt: skip
SECRET_NEGATIVE = {
    "key-from-environment": "import jwt, os\nKEY = os.environ['KEY']\ndef f(raw):\n    return jwt.decode(raw, KEY, algorithms=['HS256'])\n",
    "public-key": "import jwt\nKEY = '-----BEGIN PUBLIC KEY-----\\nMIIBIjANBgkq\\n-----END PUBLIC KEY-----'\ndef f(raw):\n    return jwt.decode(raw, KEY, algorithms=['RS256'])\n",
    "key-of-no-function": "KEY = 'sort-by-name-then-date'\ndef f(rows):\n    return rows.decode(KEY)\n",

    "compared-setting": "from settings import settings\ndef f(api_key):\n    return api_key == settings.api_key\n",
    "compared-word": 'def f(token_type):\n    return token_type == "bearer"\n',
    "documentation": '"""Set `API_SECRET = "' + _KEY + '"` in the environment."""\nX = 1\n',
    "environment": "import os\nAPI_SECRET = os.environ['API_SECRET']\n",
    "empty": 'API_SECRET = ""\n',
    "placeholder": 'API_SECRET = "<your secret>"\nPASSWORD = "changeme"\n',
    "field-name": 'PASSWORD_FIELD = "password"\nTOKEN_HEADER = "Authorization"\n',
    "call": "password = getpass()\ntoken = issue(user)\n",
    "length": "PASSWORD_MIN_LENGTH = 12\nTOKEN_SECONDS = 900\n",
    "digest": 'REVISION = "' + "4be1c07d92f35a86e0d4b7c91f6a2358c0de9471" + '"\n',
    "message": 'MESSAGE = "The password must have twelve characters or more"\n',
}  # fmt: skip
